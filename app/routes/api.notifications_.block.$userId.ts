import { blockSender } from '../api/calls/pairs.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(blockSender)
export const action = loader
