import { registerFull } from '../api/calls/auth.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(registerFull)
export const action = loader
