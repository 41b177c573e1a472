import { reportMember } from '../api/calls/pairs.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(reportMember)
export const action = loader
