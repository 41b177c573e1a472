import { liked } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(liked)
export const action = loader
