import { editMe, usersMe } from '../lib/api/calls/users.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(usersMe, editMe)
export const action = loader
