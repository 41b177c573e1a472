import { socialMatches } from '../lib/api/calls/lists.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(socialMatches)
export const action = loader
