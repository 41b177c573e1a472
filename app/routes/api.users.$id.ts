import { user } from '../api/calls/users.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(user)
export const action = loader
