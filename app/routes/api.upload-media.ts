import { uploadMedia } from '../lib/api/calls/media.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(uploadMedia)
export const action = loader
