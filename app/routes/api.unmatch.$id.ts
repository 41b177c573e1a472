import { unmatchMember } from '../api/calls/pairs.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(unmatchMember)
export const action = loader
