import { messages, say } from '../api/calls/chat.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(messages, say)
export const action = loader
