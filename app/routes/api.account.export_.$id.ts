import { findExport } from '../lib/api/calls/export.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(findExport)
export const action = loader
