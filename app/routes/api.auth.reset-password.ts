import { reset } from '../lib/api/calls/auth.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(reset)
export const action = loader
