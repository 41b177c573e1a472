import { notifications } from '../lib/api/calls/lists.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(notifications)
export const action = loader
