import { unread } from '../api/calls/chat.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(unread)
export const action = loader
