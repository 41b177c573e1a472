import { messages, say } from '../lib/api/calls/chat.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(messages, say)
export const action = loader
