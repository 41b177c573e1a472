import { reportMember } from '../lib/api/calls/pairs.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(reportMember)
export const action = loader
