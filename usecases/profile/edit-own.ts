import type { MediaId } from '../../domain/shared/ids.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { mediaIdFrom } from '../../services/media/media-url.ts'
import type { Claim } from '../../services/media/records.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'
import { takingFirst } from '../taking-first.ts'
import { type EditReason, editProfile, readChanges, takenByEdit } from './edit-profile.ts'
import type { GalleryReason } from './gallery.ts'
import { setAvatar, TAKEN_BY_AVATAR } from './set-avatar.ts'
import { setVoiceIntro, takenByVoice } from './set-voice-intro.ts'

/** Fields and media of a profile. What is absent stays as it is. */
export type OwnEdit = {
  readonly changes: unknown
  /** The address of an upload. */
  readonly avatar?: string | undefined
  /** The same; null takes the voice intro away. */
  readonly voice?: string | null | undefined
}
export type EditOwnReason = EditReason | GalleryReason
export type EditOwnOutcome = Outcome<unknown, EditOwnReason>
type NamedMedia = { avatar: MediaId | undefined; voice: MediaId | null | undefined }

type Parts = NamedMedia & { changes: unknown; commandId: string }

/**
 * Everything is checked first, media too, and what all parts take of the limits is taken; then each part is its own command
 * (api-contract C08).
 */
export async function editOwn(
  acting: Acting,
  { edit, commandId }: { edit: OwnEdit; commandId: string },
): Promise<EditOwnOutcome> {
  const media = await ownMedia(acting, edit)
  if (!media) return refused('invalid-media')
  const read = readChanges(acting, edit.changes)
  if (!read.ok) return read
  const { avatar, voice } = media
  const rates = [
    ...takenByEdit(read.value),
    ...(avatar ? TAKEN_BY_AVATAR : []),
    ...(voice === undefined ? [] : takenByVoice(voice)),
  ]
  return takingFirst(acting, rates, (having) => editParts(having, { ...media, changes: edit.changes, commandId }))
}

async function editParts(acting: Acting, { changes, avatar, voice, commandId }: Parts): Promise<EditOwnOutcome> {
  const edited = await editProfile(acting, { changes, commandId })
  if (!edited.ok) return edited
  const chosen = avatar ? await setAvatar(acting, { media: avatar, commandId }) : done(null)
  if (!chosen.ok || voice === undefined) return chosen
  return setVoiceIntro(acting, { media: voice, commandId: uuidFrom(commandId, 'voice') })
}

/** Uploads of the member's own, of the right kind; null when one is not. */
async function ownMedia(acting: Acting, { avatar, voice }: OwnEdit): Promise<NamedMedia | null> {
  const idOf = (address: string) => mediaIdFrom(address, acting.config.publicUrl)
  const picture = avatar === undefined ? undefined : idOf(avatar)
  const sound = voice ? idOf(voice) : undefined
  if (picture === null || sound === null || voice === '') return null
  const claims: Claim[] = [
    ...(picture ? [{ id: picture, purposes: ['photo', 'avatar'] as const, kind: 'image' as const }] : []),
    ...(sound ? [{ id: sound, purposes: ['voice'] as const, kind: 'audio' as const }] : []),
  ]
  if (!(await acting.media.check({ member: acting.who.member }, claims))) return null
  return { avatar: picture, voice: voice === null ? null : sound }
}
