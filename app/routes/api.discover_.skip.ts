import { skipMember } from '../api/calls/discover.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(skipMember)
export const action = loader
