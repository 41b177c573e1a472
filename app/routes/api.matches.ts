import { plainMatches } from '../api/calls/lists.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(plainMatches)
export const action = loader
