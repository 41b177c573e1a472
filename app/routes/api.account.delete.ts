import { deleteAccount } from '../api/calls/account.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(deleteAccount)
export const action = loader
