import { askExport } from '../api/calls/export.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(askExport)
export const action = loader
