import { discover } from '../api/calls/discover.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(discover)
export const action = loader
