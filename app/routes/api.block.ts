import { blockMember } from '../lib/api/calls/pairs.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(blockMember)
export const action = loader
