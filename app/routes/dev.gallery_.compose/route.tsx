import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { ComposeGallery } from './compose.tsx'

export const meta = () => pageTitle('Gallery: compose')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function ComposeGalleryPage() {
  return <ComposeGallery />
}
