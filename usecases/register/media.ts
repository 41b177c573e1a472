import type { MediaId } from '../../domain/shared/ids.ts'
import { mediaIdFrom } from '../../services/media/media-url.ts'
import type { Claim } from '../../services/media/records.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { registrantOf, type VisitorProof } from './proof.ts'
import type { Registration } from './rules.ts'

/** The uploads a registration names, checked to be the visitor's own and of the right kind. */
export type RegistrationMedia = {
  items: readonly { media: MediaId; kind: 'image' | 'video' }[]
  avatar: MediaId
  voice: MediaId | null
  claims: readonly Claim[]
}
export type RegistrationMediaRefusal = 'invalid-media' | 'no-photo' | 'incomplete'

/** What a gallery asks of the uploads in it. */
function claimsOf({ pictures, voice }: { pictures: readonly string[]; voice: string | null }): Claim[] {
  const claims: Claim[] = pictures.map((id) => ({ id, purposes: ['photo', 'avatar'] }))
  return voice ? [...claims, { id: voice, purposes: ['voice'], kind: 'audio' }] : claims
}

/** At least two, one of them an image; the first image is the avatar unless another is chosen (ruling R30). */
export async function claimedMedia(
  context: Ports,
  proof: VisitorProof,
  answers: Registration,
): Promise<Outcome<RegistrationMedia, RegistrationMediaRefusal>> {
  const idOf = (address: string) => mediaIdFrom(address, context.config.publicUrl)
  const [photos, voice] = [answers.photos.map(idOf), answers.voiceUrl ? idOf(answers.voiceUrl) : null]
  if (new Set(photos).size < photos.length) return refused('incomplete', { fields: ['photos'] })
  if (photos.includes(null) || (answers.voiceUrl && !voice)) return refused('invalid-media')
  const claims = claimsOf({ pictures: photos.map((id) => id ?? ''), voice })
  const found = await context.media.check(registrantOf(proof), claims)
  if (!found) return refused('invalid-media')
  const items = found.flatMap(({ id, kind }) => (kind === 'audio' ? [] : [{ media: id, kind }]))
  const first = items.find((item) => item.kind === 'image')
  if (!first) return refused('no-photo')
  const avatar = answers.avatar ? idOf(answers.avatar) : first.media
  const isImage = items.some((item) => item.media === avatar && item.kind === 'image')
  if (!avatar || !isImage) return refused('invalid-media', { fields: ['avatar'] })
  return done({ items, avatar, voice, claims })
}
