import { editMe, usersMe } from '../api/calls/users.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(usersMe, editMe)
export const action = loader
