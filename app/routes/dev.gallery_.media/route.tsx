import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { MediaGallery } from './media.tsx'

export const meta = () => pageTitle('Gallery: media')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function MediaGalleryPage() {
  return <MediaGallery />
}
