import { authMe } from '../api/calls/users.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(authMe)
export const action = loader
