import { redirect } from '@remix-run/node'
import { MediaId } from '../../../domain/shared/ids.ts'
import type { ReceivedForm } from '../../../services/media/form.ts'
import type { ReceivedFile } from '../../../services/media/keep-file.ts'
import { filesOf, uploadMedia } from '../../../usecases/media/upload-media.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { addMedia } from '../../../usecases/profile/add-media.ts'
import { chooseAvatar } from '../../../usecases/profile/choose-avatar.ts'
import type { GalleryOutcome } from '../../../usecases/profile/gallery.ts'
import { removeMedia } from '../../../usecases/profile/remove-media.ts'
import { setMediaPrivacy } from '../../../usecases/profile/set-media-privacy.ts'
import { setVoiceIntro } from '../../../usecases/profile/set-voice-intro.ts'
import { commandIdOf, textOf } from '../../forms/forms.server.ts'
import { PIPELINE_WORDS, type Words, worded } from '../../words/words.ts'

export type MediaRefused = { status: number; error: string; intent: string }
type Reason = Extract<GalleryOutcome, { ok: false }>['reason']
const no = (error: string, status = 400): Words => ({ status, error })

/** Spec 2 §8, "Alerts on profile". */
const WORDS: Readonly<Record<Reason, Words>> = {
  ...PIPELINE_WORDS,
  'no-image': no('At least one of them must be a photo.'),
  'not-in-gallery': no('That picture is not in your gallery any more.', 404),
  'avatar-must-be-image': no('Avatar upload failed. It has to be a picture.'),
  'last-photo': no('Could not delete media: at least one photo has to stay.'),
  'avatar-stays-public': no('Could not change privacy: your avatar is always public. Choose another one first.'),
  'invalid-media': no('Upload failed. Please choose the file again.'),
}
const GALLERY = '/profile/gallery'
const VOICE = '/profile/edit'
const INVALID = { ok: false, reason: 'invalid-media' } as const
const NOTHING_CHOSEN = 'Choose a file first.'

const stays = (intent: string, { error, status }: { error: string; status: number }): MediaRefused => ({
  ...{ error, status, intent },
})

/** Everything the gallery can do: add, choose the avatar, open or close to others, delete (api-contract C74, C75). */
export async function galleryAction(acting: Acting, sent: ReceivedForm): Promise<MediaRefused> {
  const form = sent.fields
  const intent = textOf(form, 'intent')
  const commandId = commandIdOf(form)
  if (intent === 'upload') return uploadAll(acting, sent)
  if (intent === 'add' || intent === 'add-avatar') return addAll(acting, { form, intent })
  const media = MediaId.safeParse(textOf(form, 'media')).data
  if (!media) return stays(intent, no('Could not update profile'))
  const outcome = await change(acting, { intent, media, commandId })
  if (!outcome) return stays(intent, no('Could not update profile'))
  if (!outcome.ok) return stays(intent, worded(WORDS, outcome))
  throw redirect(`${GALLERY}?saved=${intent}`)
}

function change(
  acting: Acting,
  { intent, media, commandId }: { intent: string; media: MediaId; commandId: string },
): Promise<GalleryOutcome> | null {
  switch (intent) {
    case 'avatar':
      return chooseAvatar(acting, { media, commandId })
    case 'public':
    case 'private':
      return setMediaPrivacy(acting, { media, privacy: intent, commandId })
    case 'delete':
      return removeMedia(acting, { media, commandId })
    default:
      return null
  }
}

/** Files that the page has sent already, by their ids. */
async function addAll(
  acting: Acting,
  { form, intent }: { form: FormData; intent: 'add' | 'add-avatar' },
): Promise<MediaRefused> {
  const sent = form.getAll('media').map((id) => MediaId.safeParse(id).data)
  if (sent.length === 0) return stays(intent, no(NOTHING_CHOSEN))
  for (const media of sent) {
    const failed = media ? await put(acting, media, intent === 'add-avatar') : worded(WORDS, INVALID)
    if (failed) return stays(intent, failed)
  }
  throw redirect(`${GALLERY}?saved=${intent === 'add-avatar' ? 'avatar' : 'add'}`)
}

/** The plain form brings its files along; `asAvatar` makes the one picture the avatar. */
async function uploadAll(acting: Acting, form: ReceivedForm): Promise<MediaRefused> {
  const asAvatar = form.fields.has('asAvatar')
  const files = filesOf(form, 'file')
  if (files.length === 0) return stays('upload', no(NOTHING_CHOSEN))
  for (const file of files.slice(0, asAvatar ? 1 : files.length)) {
    const failed = await takeOne(acting, file, asAvatar)
    if (failed) return stays('upload', failed)
  }
  throw redirect(`${GALLERY}?saved=${asAvatar ? 'avatar' : 'add'}`)
}

async function takeOne(acting: Acting, file: ReceivedFile, asAvatar: boolean): Promise<Words | null> {
  const uploaded = await uploadMedia(
    acting,
    { member: acting.who.member },
    { file, purpose: asAvatar ? 'avatar' : 'photo' },
  )
  const general = asAvatar ? 'Avatar upload failed' : 'Photo upload failed. Please try again.'
  if (!uploaded.ok) return { ...uploaded, error: uploaded.error === 'Upload failed.' ? general : uploaded.error }
  return put(acting, uploaded.value.id, asAvatar)
}

async function put(acting: Acting, media: MediaId, asAvatar: boolean): Promise<Words | null> {
  const added = await addMedia(acting, { media, commandId: crypto.randomUUID() })
  if (!added.ok) return worded(WORDS, added)
  if (!asAvatar) return null
  const chosen = await chooseAvatar(acting, { media, commandId: crypto.randomUUID() })
  return chosen.ok ? null : worded(WORDS, chosen)
}

/** Saves the recording that was uploaded, or the file of the plain form, or takes the intro away (spec 2 §4). */
export async function voiceAction(acting: Acting, form: ReceivedForm): Promise<MediaRefused> {
  const intent = textOf(form.fields, 'intent')
  const commandId = commandIdOf(form.fields)
  const remove = intent === 'voice-delete'
  const media = remove ? null : await voiceOf(acting, form)
  if (media && typeof media === 'object') return stays(intent, media)
  const outcome = await setVoiceIntro(acting, { media, commandId })
  if (!outcome.ok) return stays(intent, worded({ ...WORDS, 'invalid-media': no('Voice upload failed') }, outcome))
  throw redirect(`${VOICE}?saved=${remove ? 'voice-gone' : 'voice'}#voice`)
}

async function voiceOf(acting: Acting, form: ReceivedForm): Promise<MediaId | Words> {
  const sent = MediaId.safeParse(textOf(form.fields, 'media'))
  if (sent.success) return sent.data
  const [file] = filesOf(form, 'voice')
  if (!file) return no('Record something first.')
  const uploaded = await uploadMedia(acting, { member: acting.who.member }, { file, purpose: 'voice' })
  if (uploaded.ok) return uploaded.value.id
  return { ...uploaded, error: uploaded.error === 'Upload failed.' ? 'Voice upload failed' : uploaded.error }
}
