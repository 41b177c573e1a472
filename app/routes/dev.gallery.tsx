import type { LoaderFunctionArgs } from '@remix-run/node'
import { Gallery } from '../components/gallery/gallery.tsx'
import { requireLocal } from '../lib/request/guards.server.ts'
import { pageTitle } from '../lib/shell/page-title.ts'

export const meta = () => pageTitle('Gallery')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function GalleryPage() {
  return <Gallery />
}
