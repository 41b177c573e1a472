import { unblockByPost, unblockMember } from '../api/calls/pairs.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(unblockMember, unblockByPost)
export const action = loader
