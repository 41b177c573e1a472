import { undoSkipMember } from '../api/calls/discover.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(undoSkipMember)
export const action = loader
