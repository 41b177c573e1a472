import { likedYou } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(likedYou)
export const action = loader
