import { markTalk } from '../api/calls/chat.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(markTalk)
export const action = loader
