import { blocks } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(blocks)
export const action = loader
