import { uploadMedia } from '../api/calls/media.server.ts'
import { apiRoute } from '../api/router.server.ts'

export const loader = apiRoute(uploadMedia)
export const action = loader
