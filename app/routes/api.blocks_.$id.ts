import { unblockByPost, unblockMember } from '../lib/api/calls/pairs.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(unblockMember, unblockByPost)
export const action = loader
