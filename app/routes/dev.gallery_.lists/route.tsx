import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { ListsGallery } from './lists.tsx'

export const meta = () => pageTitle('Gallery: lists')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function ListsGalleryPage() {
  return <ListsGallery />
}
