import { markTalk } from '../lib/api/calls/chat.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(markTalk)
export const action = loader
