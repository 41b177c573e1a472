import { skipMember } from '../lib/api/calls/discover.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(skipMember)
export const action = loader
