import { forgot } from '../api/calls/auth.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(forgot)
export const action = loader
