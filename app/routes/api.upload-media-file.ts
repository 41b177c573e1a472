import { uploadMediaFile } from '../api/calls/media.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(uploadMediaFile)
export const action = loader
