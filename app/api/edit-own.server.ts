import type { MediaId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { mediaIdFrom } from '../../services/media/media-url.ts'
import type { Claim } from '../../services/media/records.ts'
import { type Answer, done, type Refusal, refused } from '../../usecases/answer.ts'
import type { Acting } from '../../usecases/ports.ts'
import { addMedia } from '../../usecases/profile/add-media.ts'
import { chooseAvatar } from '../../usecases/profile/choose-avatar.ts'
import { editProfile } from '../../usecases/profile/edit-profile.ts'
import type { GalleryOutcome } from '../../usecases/profile/gallery.ts'
import { setVoiceIntro } from '../../usecases/profile/set-voice-intro.ts'
import type { RequestContext } from '../request/context.server.ts'
import { editWords } from '../words/profile-words.ts'
import { pipelineWorded } from '../words/words.ts'
import { ownUser } from './own-user.server.ts'
import { type ProfileEdit, partsOf } from './profile-edit.server.ts'

type Editing = { edit: ProfileEdit; commandId: string }
/** null takes it away, undefined leaves it. */
type NamedMedia = { avatar: MediaId | undefined; voice: MediaId | null | undefined }
const FAILED = 'Could not update profile'

/** `PUT /users/me`: everything is checked first, media too, then each part is its own command (api-contract C08). */
export async function editOwn(acting: Acting & RequestContext, { edit, commandId }: Editing): Promise<Answer<null>> {
  const { changes, avatar, voice } = partsOf(edit, await ownUser(acting, acting.who.member))
  const media = await ownMedia(acting, { avatar, voice })
  if (!media) return refused(400, 'Invalid media')
  const edited = await editProfile(acting, { changes, commandId })
  if (!edited.ok) return editWords(edited)
  return (
    (media.avatar && (await setAvatar(acting, media.avatar, commandId))) ||
    (media.voice !== undefined && (await setVoice(acting, media.voice, commandId))) ||
    done(null)
  )
}

/** Uploads of the member's own, of the right kind; null when one is not. */
async function ownMedia(
  acting: Acting,
  { avatar, voice }: { avatar: string | undefined; voice: string | undefined },
): Promise<NamedMedia | null> {
  const idOf = (address: string | undefined) => (address ? mediaIdFrom(address, acting.config.publicUrl) : undefined)
  const [picture, sound] = [idOf(avatar), idOf(voice)]
  if (avatar === '' || picture === null || sound === null) return null
  const claims: Claim[] = [
    ...(picture ? [{ id: picture, purposes: ['photo', 'avatar'] as const, kind: 'image' as const }] : []),
    ...(sound ? [{ id: sound, purposes: ['voice'] as const, kind: 'audio' as const }] : []),
  ]
  if (!(await acting.media.check({ member: acting.who.member }, claims))) return null
  return { avatar: picture, voice: voice === '' ? null : sound }
}

/** A picture that is not in the gallery yet goes there first. */
async function setAvatar(acting: Acting, media: MediaId, commandId: string): Promise<Refusal | null> {
  const choose = (step: string) => chooseAvatar(acting, { media, commandId: uuidFrom(commandId, step) })
  const chosen = await choose('avatar')
  if (chosen.ok || chosen.reason !== 'not-in-gallery') return refusalOf(chosen)
  const added = await addMedia(acting, { media, commandId: uuidFrom(commandId, 'add') })
  return refusalOf(added) ?? refusalOf(await choose('avatar-added'))
}

async function setVoice(acting: Acting, media: MediaId | null, commandId: string): Promise<Refusal | null> {
  return refusalOf(await setVoiceIntro(acting, { media, commandId: uuidFrom(commandId, 'voice') }))
}

function refusalOf(outcome: GalleryOutcome): Refusal | null {
  if (outcome.ok) return null
  if (outcome.reason === 'invalid-media') return refused(400, 'Invalid media')
  return pipelineWorded(outcome) ?? refused(400, FAILED)
}
