import { unread } from '../lib/api/calls/chat.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(unread)
export const action = loader
