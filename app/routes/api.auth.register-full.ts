import { registerFull } from '../lib/api/calls/auth.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(registerFull)
export const action = loader
