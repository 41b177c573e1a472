import { logout } from '../api/calls/auth.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(logout)
export const action = loader
