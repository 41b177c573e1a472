import { type Expression, type SqlBool, sql } from 'kysely'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import type { MediaPurpose } from '../../domain/shared/media.ts'
import { messageWithMedia } from '../conversations/media.ts'
import type { ProfileRow } from '../profiles/table.ts'
import type { ReadDb } from '../projection.ts'
import type { RelationRow } from '../relations/table.ts'
import { picturesOfProfile } from './galleries.ts'
import { decideAccess, mayHearVoice, type Owner, type PhotoOwner, type Pictured, photosFor } from './visibility.ts'

/** An upload as its own table knows it. `originalId` names what a derivative (blurred, or a video's still) was made from. */
export type FetchedMedia = {
  readonly id: MediaId
  readonly owner: MemberId
  readonly purpose: MediaPurpose
  readonly isBlurred: boolean
  readonly originalId: MediaId | null
}

type OwnerFacts = Owner & PhotoOwner & Pick<ProfileRow, 'voice'>
type RelationFacts = Pick<RelationRow, 'matched_at' | 'blocked_at' | 'blocked_me_at' | 'liked_at' | 'liked_me_at'>
/** What decides about a file: of its owner, of the two, and where it is shown; null where there is none. */
export type MediaFacts = {
  readonly [column in keyof (OwnerFacts & RelationFacts)]: (OwnerFacts & RelationFacts)[column] | null
} & {
  readonly pictures: readonly Pictured[] | null
  readonly sent: SqlBool | null
}

/** `media`: what it was made from, for a derivative. */
type Asked = { readonly [what in 'viewer' | 'owner' | 'purpose' | 'media']: Expression<string> }

/** One row with the facts, for a query that knows the file. */
export function mediaFacts(db: ReadDb, { viewer, owner, purpose, media }: Asked) {
  return db
    .selectFrom(sql<{ member: string }>`(select ${owner} as member)`.as('asked'))
    .leftJoin('profile as p', 'p.member', 'asked.member')
    .leftJoin('relation as r', (join) =>
      join.onRef('r.other', '=', 'asked.member').on(({ eb }) => eb('r.member', '=', viewer)),
    )
    .select(['p.member', 'p.status', 'p.started', 'p.visibility_mode', 'p.visibility'])
    .select(['p.blur', 'p.field_visibility', 'p.avatar', 'p.voice'])
    .select(['r.matched_at', 'r.blocked_at', 'r.blocked_me_at', 'r.liked_at', 'r.liked_me_at'])
    .select((eb) => [
      eb.case().when(sql<boolean>`${purpose} in ('photo', 'avatar')`).then(picturesOfProfile(db)).end().as('pictures'),
      eb
        .case()
        .when(sql<boolean>`${purpose} = 'chat'`)
        .then(eb.exists(messageWithMedia(db, { viewer, author: owner, media })))
        .end()
        .as('sent'),
    ])
}

/** Whether the viewer may have these bytes (api-contract N8): asked at every request. Proofs of identity never. */
export function mayFetchMedia(viewer: MemberId, media: FetchedMedia, facts: MediaFacts): boolean {
  const { purpose } = media
  if (purpose === 'kyc-id' || purpose === 'kyc-selfie') return false
  if (media.owner === viewer) return true
  if (purpose === 'chat') return facts.sent === true
  if (purpose !== 'photo' && purpose !== 'avatar' && purpose !== 'voice') return false
  // Where there is a member, there is all of their row.
  const owner = facts.member === null ? undefined : (facts as OwnerFacts)
  const access = decideAccess(viewer, owner, facts)
  if (!access || !owner) return false
  if (purpose === 'voice') return !media.isBlurred && owner.voice === media.id && mayHearVoice(access, owner)
  const wanted = media.originalId ?? media.id
  const photo = photosFor(access, owner, facts.pictures ?? []).find(({ item }) => item.media === wanted)
  return photo !== undefined && (photo.sharp || media.isBlurred)
}
