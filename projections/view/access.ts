import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import { isMessageMediaFor } from '../conversations/media.ts'
import type { ProfileRow } from '../profiles/table.ts'
import type { ReadDb } from '../projection.ts'
import type { RelationRow } from '../relations/table.ts'
import { among } from './policy.ts'
import type { GalleryItem } from './present.ts'
import { type Access, decideAccess, decideBuzz, mayHearVoice, photosFor } from './visibility.ts'

/** Two members and what the viewer may see of the owner; `owner` is there whenever `access` is. */
export type Encounter = { access: Access | null; owner?: ProfileRow; relation?: RelationRow }

export async function findEncounter(db: ReadDb, viewer: MemberId, owner: MemberId): Promise<Encounter> {
  const [row, relation] = await Promise.all([
    db.selectFrom('profile').selectAll().where('member', '=', owner).executeTakeFirst(),
    db.selectFrom('relation').selectAll().where('member', '=', viewer).where('other', '=', owner).executeTakeFirst(),
  ])
  return {
    access: decideAccess(viewer, row, relation),
    ...(row && { owner: row }),
    ...(relation && { relation }),
  }
}

/** null: unknown, erased, suspended or unfinished. */
export async function findAccess(db: ReadDb, viewer: MemberId, owner: MemberId): Promise<Access | null> {
  return (await findEncounter(db, viewer, owner)).access
}

/** Whether `viewer` may buzz `target` as far as visibility goes; null: nobody is there (api-contract C07). */
export async function mayBuzz(db: ReadDb, viewer: MemberId, target: MemberId): Promise<boolean | null> {
  const { owner, relation } = await findEncounter(db, viewer, target)
  return decideBuzz(viewer, owner, relation)
}

/** An upload as its own table knows it. `originalId` names what a derivative (blurred, or a video's still) was made from. */
export type FetchedMedia = {
  readonly id: MediaId
  readonly owner: MemberId
  readonly purpose: MediaPurpose
  readonly isBlurred: boolean
  readonly originalId: MediaId | null
}

/** Whether the viewer may have these bytes (api-contract N8): asked at every request. Proofs of identity never. */
export async function mayFetchMedia(db: ReadDb, viewer: MemberId, media: FetchedMedia): Promise<boolean> {
  const { purpose } = media
  if (purpose === 'kyc-id' || purpose === 'kyc-selfie') return false
  if (media.owner === viewer) return true
  if (purpose === 'chat') return isMessageMediaFor(db, viewer, media.owner, media.originalId ?? media.id)
  if (purpose !== 'photo' && purpose !== 'avatar' && purpose !== 'voice') return false
  const { access, owner } = await findEncounter(db, viewer, media.owner)
  if (!access || !owner) return false
  if (purpose === 'voice') return !media.isBlurred && owner.voice === media.id && mayHearVoice(access, owner)
  return maySeePicture(db, access, owner, media)
}

async function maySeePicture(db: ReadDb, access: Access, owner: ProfileRow, media: FetchedMedia): Promise<boolean> {
  const wanted = media.originalId ?? media.id
  const shown = photosFor(access, owner, (await loadGalleries(db, [owner.member])).get(owner.member) ?? [])
  const photo = shown.find(({ item }) => item.media === wanted)
  return photo !== undefined && (photo.sharp || media.isBlurred)
}

/** Every gallery item of these members, with its blurred derivative. */
export async function loadGalleries(db: ReadDb, members: readonly string[]): Promise<Map<string, GalleryItem[]>> {
  if (members.length === 0) return new Map()
  const items = await db
    .selectFrom('gallery_item as g')
    .leftJoin('media_blur as b', 'b.original', 'g.media')
    .selectAll('g')
    .select('b.blurred')
    .where(among('g.member', members))
    .orderBy('g.ordinal')
    .execute()
  const galleries = new Map<string, GalleryItem[]>()
  for (const item of items) galleries.set(item.member, [...(galleries.get(item.member) ?? []), item])
  return galleries
}
