import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { redirect } from '@remix-run/node'
import { sendForm } from '../../forms/send-form.ts'
import { requireLocal } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { OverlayGallery } from './overlays.tsx'

export const meta = () => pageTitle('Gallery: overlays')

export async function loader({ context }: LoaderFunctionArgs) {
  requireLocal(context)
  return null
}

/** Whatever is confirmed here: nothing is done. */
export async function action({ context }: ActionFunctionArgs) {
  requireLocal(context)
  return redirect('/dev/gallery/overlays?confirmed')
}

export const clientAction = sendForm()

export default function OverlayGalleryPage() {
  return <OverlayGallery />
}
