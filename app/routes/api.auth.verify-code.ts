import { verifySignupCode } from '../api/calls/auth.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(verifySignupCode)
export const action = loader
