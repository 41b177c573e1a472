import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { useRef } from 'react'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { receiveForm } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Viewer } from '../../ui/person/viewer.tsx'
import { galleryAction } from './action.server.ts'
import { DeleteDialog, OwnItem, Uploads } from './gallery-editor.tsx'
import './gallery.css'
import { useDoomedFocus } from './use-doomed-focus.ts'

export const meta = () => pageTitle('Your gallery')

const SAVED: ReadonlyMap<string, string> = new Map([
  ['add', 'Added to your gallery.'],
  ['avatar', 'Avatar changed.'],
  ['public', 'Others may see it now, as far as your photos are open to them.'],
  ['private', 'Only you see it.'],
  ['delete', 'Deleted.'],
])

/** Intents whose refusal is shown next to the file. */
const ADDING: readonly string[] = ['upload', 'add', 'add-avatar']

export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
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
  const acting = await requireMember(context)
  const reply = await receiveForm(context, request, {
    purposes: { file: 'photo' },
    work: (form) => galleryAction(acting, form),
  })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

export default function ProfileGallery() {
  const { media } = useLoaderData<typeof loader>()
  const reply = useActionData<typeof action>()
  const [params] = useSearchParams()
  const open = media.findIndex((item) => item.id === params.get('media'))
  const doomed = media.find((item) => item.id === params.get('delete'))
  const list = useRef<HTMLUListElement>(null)
  useDoomedFocus(list, media, doomed?.id)
  const saved = reply ? undefined : SAVED.get(params.get('saved') ?? '')
  const [refused = null] = Object.values(reply?.fields ?? {})
  const uploading = ADDING.includes(reply?.form ?? '')
  const asAvatar = reply?.form === 'add-avatar' || reply?.values.asAvatar !== undefined
  return (
    <>
      <div role="status" className="gallery-status" id="saved">
        {saved ? (
          <Banner tone="leaf">
            <p>{saved}</p>
          </Banner>
        ) : null}
      </div>
      {refused && !uploading ? (
        <Banner tone="alarm" live>
          <p>{refused}</p>
        </Banner>
      ) : null}
      <ul ref={list} className="gallery" aria-label="Your photos and videos">
        {media.map((item, at) => (
          <OwnItem key={item.id} item={item} at={at} />
        ))}
      </ul>
      <Uploads error={uploading ? refused : null} forAvatar={asAvatar} />
      {open >= 0 ? <Viewer media={media} at={open} name="you" /> : null}
      {doomed ? <DeleteDialog key={doomed.id} item={doomed} /> : null}
    </>
  )
}
