import { markRoomRead } from '../api/calls/chat.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(markRoomRead)
export const action = loader
