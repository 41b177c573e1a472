import { findExport } from '../api/calls/export.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(findExport)
export const action = loader
