import { verifySignupCode } from '../lib/api/calls/auth.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(verifySignupCode)
export const action = loader
