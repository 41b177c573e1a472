import { dropNotification } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(dropNotification)
export const action = loader
