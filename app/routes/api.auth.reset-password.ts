import { reset } from '../api/calls/auth.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(reset)
export const action = loader
