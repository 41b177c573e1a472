import { sendSignupCode } from '../api/calls/auth.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(sendSignupCode)
export const action = loader
