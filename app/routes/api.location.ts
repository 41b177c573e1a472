import { location } from '../lib/api/calls/discover.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(location)
export const action = loader
