import { uploadMediaFile } from '../lib/api/calls/media.server.ts'
import { apiRoute } from '../lib/api/route.server.ts'

export const loader = apiRoute(uploadMediaFile)
export const action = loader
