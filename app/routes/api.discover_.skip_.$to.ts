import { undoSkipMember } from '../lib/api/calls/discover.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(undoSkipMember)
export const action = loader
