import { socialMatches } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(socialMatches)
export const action = loader
