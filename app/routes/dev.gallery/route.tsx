import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Gallery } from './gallery.tsx'

export const meta = () => pageTitle('Gallery')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function GalleryPage() {
  return <Gallery />
}
