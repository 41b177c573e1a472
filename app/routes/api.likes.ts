import { like } from '../api/calls/pairs.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(like)
export const action = loader
