import { z } from 'zod'
import { MediaId } from '../../../domain/shared/ids.ts'
import type { ReceivedForm } from '../../../services/media/form.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { addUploads } from '../../../usecases/profile/add-uploads.ts'
import { chooseAvatar } from '../../../usecases/profile/choose-avatar.ts'
import type { GalleryOutcome } from '../../../usecases/profile/gallery.ts'
import { removeMedia } from '../../../usecases/profile/remove-media.ts'
import { setMediaPrivacy } from '../../../usecases/profile/set-media-privacy.ts'
import { doneReply, readForm, refusedReply, replyWith } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { filesOf, takeFile } from '../../ui/media/take-file.server.ts'
import { CHOOSE_FIRST } from '../../words/file-sizes.ts'
import { GALLERY_WORDS } from '../../words/gallery-words.ts'
import { EDIT_FAILED } from '../../words/profile-words.ts'

const Change = z.object({
  intent: z.enum(['avatar', 'public', 'private', 'delete']),
  media: MediaId,
  commandId: CommandId,
})
/** Files that the page has sent already, by their ids. */
const Add = z.object({ intent: z.enum(['add', 'add-avatar']), media: z.array(MediaId).min(1), commandId: CommandId })
/** The plain form brings its files along; `asAvatar` makes the one picture the avatar. */
const Upload = z.object({ asAvatar: z.string().optional(), commandId: CommandId })

const savedAs = (saved: string) => `/profile/gallery?saved=${saved}`

/** Everything the gallery can do: add, choose the avatar, open or close to others, delete (api-contract C74, C75). */
export function galleryAction(acting: Acting, received: ReceivedForm): Promise<FormReply> {
  const form = received.fields
  const intent = form.get('intent')
  if (intent === 'upload') return addFiles(acting, received)
  return intent === 'add' || intent === 'add-avatar' ? addSent(acting, form) : changeOne(acting, form)
}

async function changeOne(acting: Acting, form: FormData): Promise<FormReply> {
  const sent = readForm(form, Change, { intent: EDIT_FAILED.error, media: EDIT_FAILED.error })
  if (!sent.ok) return sent.reply
  const outcome = await change(acting, sent.value)
  return outcome.ok ? doneReply(form, true, savedAs(sent.value.intent)) : refusedReply(form, GALLERY_WORDS, outcome)
}

function change(acting: Acting, { intent, ...picture }: z.output<typeof Change>): Promise<GalleryOutcome> {
  if (intent === 'avatar') return chooseAvatar(acting, picture)
  if (intent === 'delete') return removeMedia(acting, picture)
  return setMediaPrivacy(acting, { ...picture, privacy: intent })
}

async function addSent(acting: Acting, form: FormData): Promise<FormReply> {
  const sent = readForm(form, Add, { media: GALLERY_WORDS['invalid-media'].error })
  if (!sent.ok) return sent.reply
  const { intent, media, commandId } = sent.value
  const asAvatar = intent === 'add-avatar'
  const outcome = await addUploads(acting, { uploads: media, asAvatar, commandId })
  return outcome.ok
    ? doneReply(form, true, savedAs(asAvatar ? 'avatar' : 'add'))
    : refusedReply(form, GALLERY_WORDS, outcome)
}

async function addFiles(acting: Acting, received: ReceivedForm): Promise<FormReply> {
  const form = received.fields
  const sent = readForm(form, Upload, {})
  if (!sent.ok) return sent.reply
  const { commandId } = sent.value
  const asAvatar = sent.value.asAvatar !== undefined
  const files = filesOf(received, 'file')
  if (files.length === 0) return replyWith(form, 400, { file: CHOOSE_FIRST })
  for (const file of asAvatar ? files.slice(0, 1) : files) {
    const taken = await takeFile(acting, { file, purpose: asAvatar ? 'avatar' : 'photo' })
    if (!taken.ok) return replyWith(form, taken.status, { file: taken.error })
    const outcome = await addUploads(acting, { uploads: [taken.value], asAvatar, commandId })
    if (!outcome.ok) return refusedReply(form, GALLERY_WORDS, outcome)
  }
  return doneReply(form, true, `${savedAs(asAvatar ? 'avatar' : 'add')}#saved`)
}
