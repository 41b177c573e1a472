import { unmatchMember } from '../lib/api/calls/pairs.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(unmatchMember)
export const action = loader
