import { notifications } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(notifications)
export const action = loader
