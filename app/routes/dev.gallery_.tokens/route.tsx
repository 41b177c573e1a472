import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { TokensGallery } from './tokens.tsx'

export const meta = () => pageTitle('Gallery: tokens')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function TokensGalleryPage() {
  return <TokensGallery />
}
