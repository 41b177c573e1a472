import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Banner } from '../../ui/banner.tsx'
import { Viewer } from '../../ui/person/viewer.tsx'
import { galleryAction } from '../../ui/profile/own-media.server.ts'
import { DeleteDialog, OwnItem, Uploads } from './gallery-editor.tsx'
import './gallery.css'

export const meta = () => pageTitle('Your gallery')

const SAVED: Readonly<Record<string, string>> = {
  add: 'Added to your gallery.',
  avatar: 'Avatar changed.',
  public: 'Others may see it now, as far as your photos are open to them.',
  private: 'Only you see it.',
  delete: 'Deleted.',
}

export async function loader({ context }: LoaderFunctionArgs) {
  const me = await requireMember(context)
  const self = await getSelf(context.read, me, context.now())
  return {
    media: self.media.map((item) => ({
      ...item,
      isAvatar: item.url === self.avatar,
      commandId: crypto.randomUUID(),
    })),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const me = await requireMember(context)
  const form = await request.formData()
  const refused = await galleryAction(context, me, form)
  return data({ ...refused, forAvatar: form.has('asAvatar') || refused.intent === 'add-avatar' }, refused.status)
}

const UPLOADING = ['upload', 'add', 'add-avatar']

export default function ProfileGallery() {
  const { media } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const [params] = useSearchParams()
  const open = media.findIndex((item) => item.id === params.get('media'))
  const doomed = media.find((item) => item.id === params.get('delete'))
  const saved = refused ? undefined : SAVED[params.get('saved') ?? '']
  const uploading = refused && UPLOADING.includes(refused.intent) ? refused : null
  return (
    <>
      <div role="status">
        {saved ? (
          <Banner tone="leaf">
            <p>{saved}</p>
          </Banner>
        ) : null}
      </div>
      {refused && !uploading ? (
        <Banner tone="alarm" live>
          <p>{refused.error}</p>
        </Banner>
      ) : null}
      <ul className="gallery" aria-label="Your photos and videos">
        {media.map((item, at) => (
          <OwnItem key={item.id} item={item} at={at} />
        ))}
      </ul>
      <Uploads error={uploading?.error ?? null} forAvatar={uploading?.forAvatar ?? false} />
      {open >= 0 ? <Viewer media={media} at={open} name="you" /> : null}
      {doomed ? <DeleteDialog key={doomed.id} item={doomed} /> : null}
    </>
  )
}
