import { deleteAccount } from '../lib/api/calls/account.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(deleteAccount)
export const action = loader
