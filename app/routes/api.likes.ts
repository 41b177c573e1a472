import { like } from '../lib/api/calls/pairs.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(like)
export const action = loader
