import { location } from '../api/calls/discover.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(location)
export const action = loader
