import { user } from '../lib/api/calls/users.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(user)
export const action = loader
