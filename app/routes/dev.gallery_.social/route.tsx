import type { LoaderFunctionArgs } from '@remix-run/node'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { SocialGallery } from './social.tsx'

export const meta = () => pageTitle('Gallery: social')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

export default function SocialGalleryPage() {
  return <SocialGallery />
}
