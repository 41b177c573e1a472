import { askExport } from '../lib/api/calls/export.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(askExport)
export const action = loader
