import { REBUZZ_MS } from '../../domain/pair/limits.ts'
import type { FieldLevel } from '../../domain/profile/choices.ts'
import { PREVIEW_PHOTOS } from '../../domain/profile/limits.ts'
import { addMs } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { GalleryItemRow } from '../profiles/gallery-table.ts'
import type { ProfileRow } from '../profiles/table.ts'
import type { RelationRow } from '../relations/table.ts'

/** What one member may see of another: the one decision behind every page, call and picture (rulings R1, R4, R5). */
export type Access = 'self' | 'matched' | 'preview' | 'locked' | 'blocked-by-me' | 'unavailable'
export type Relation = Pick<RelationRow, 'liked_at' | 'liked_me_at' | 'matched_at' | 'blocked_at' | 'blocked_me_at'>
export type Owner = Pick<ProfileRow, 'member' | 'status' | 'started' | 'visibility_mode' | 'visibility'>

/** What replaces an erased member's name (ruling R26). */
export const DELETED_MEMBER = 'Deleted member'

/** Not to be found by anyone but matches (spec 2 §4). */
export function isHidden(owner: Pick<Owner, 'visibility_mode' | 'visibility'>): boolean {
  return owner.visibility_mode === 'hidden' || owner.visibility === 'invisible'
}

/**
 * null: nobody is there for the viewer, whether unknown, erased, suspended or unfinished (api-contract §6.1). Who
 * blocked both ways sees the own block alone, so that the answer reveals nothing of the other's.
 */
export function decideAccess(viewer: MemberId, owner: Owner | undefined, relation?: Relation): Access | null {
  if (!owner) return null
  if (owner.member === viewer) return 'self'
  if (owner.status === 'suspended' || !owner.started) return null
  if (relation?.blocked_at) return 'blocked-by-me'
  if (relation?.blocked_me_at || owner.status === 'deactivated') return 'unavailable'
  if (relation?.matched_at) return 'matched'
  if (isHidden(owner)) return 'unavailable'
  return owner.visibility_mode === 'auto' ? 'locked' : 'preview'
}

/**
 * The first name, also beside the viewer's own block; null where a 403 or a 404 would answer without that block, so that
 * blocking back reads nobody's name (ruling R5).
 */
export function firstNameFor(
  viewer: MemberId,
  owner: Owner & Pick<ProfileRow, 'first_name'>,
  relation: Relation,
): string | null {
  const access = decideAccess(viewer, owner, { ...relation, blocked_at: null })
  return access === null || access === 'unavailable' ? null : owner.first_name
}

/**
 * Whether a buzz may go out; null: nobody is there. A hidden member who likes the viewer can be buzzed
 * (api-contract C07).
 */
export function decideBuzz(viewer: MemberId, owner: Owner | undefined, relation?: Relation): boolean | null {
  const access = decideAccess(viewer, owner, relation)
  if (access === null) return null
  if (access === 'unavailable' && owner && isHidden(owner))
    return owner.status === 'active' && !relation?.blocked_me_at && Boolean(relation?.liked_me_at)
  return access === 'matched' || access === 'preview' || access === 'locked'
}

/** An unmatched pair may not buzz yet (api-contract C43). */
export function isUnmatchedLately({ unmatched_at }: Pick<RelationRow, 'unmatched_at'>, now: Date): boolean {
  return unmatched_at !== null && addMs(unmatched_at, REBUZZ_MS) > now
}

/** Whether a field of this level is for a viewer with this access. */
export function mayShow(access: Access, level: FieldLevel): boolean {
  switch (access) {
    case 'self':
      return true
    case 'matched':
      return level !== 'hidden'
    case 'preview':
    case 'locked':
      return level === 'public'
    case 'blocked-by-me':
    case 'unavailable':
      return false
  }
}

/** How much of a profile a viewer gets (api-contract §6.3). */
export type ProfileTier = 'matched' | 'full' | 'limited' | 'locked'

/** `limited` asks for the short form wherever more would be allowed (/preview and /view, ruling R1). */
export function tierFor(access: Access, mode: ProfileRow['visibility_mode'], limited = false): ProfileTier | null {
  if (access === 'locked') return 'locked'
  if (access !== 'matched' && access !== 'preview') return null
  if (limited) return 'limited'
  if (access === 'matched') return 'matched'
  return mode === 'limited' ? 'limited' : 'full'
}

export type Pictured = Pick<GalleryItemRow, 'media' | 'kind' | 'caption' | 'privacy' | 'ordinal'>
/** A picture that a viewer may see: itself, or its blurred derivative alone. */
export type ShownPhoto<P extends Pictured = Pictured> = { readonly item: P; readonly sharp: boolean }
/** What of an owner decides about their pictures. */
export type PhotoOwner = Pick<ProfileRow, 'visibility_mode' | 'blur' | 'field_visibility' | 'avatar'>

/**
 * The pictures of a member that a viewer may see, the avatar first. Strangers see no video, and no picture sharp unless
 * its owner opened photos to the public and chose no blur (rulings R2, R31); private items are the owner's alone.
 */
export function photosFor<P extends Pictured>(
  access: Access,
  owner: PhotoOwner,
  items: readonly P[],
  tier = tierFor(access, owner.visibility_mode),
): ShownPhoto<P>[] {
  const level = owner.field_visibility.photos
  const first = (item: P) => (item.media === owner.avatar ? -1 : item.ordinal)
  const sorted = [...items].sort((a, b) => first(a) - first(b))
  if (access === 'self') return sorted.map((item) => ({ item, sharp: true }))
  if (tier === null || level === 'hidden') return []
  const open = access === 'preview' && level === 'public' && owner.blur === 'clear'
  const shown = sorted
    .filter((item) => item.privacy === 'public')
    .map((item) => ({ item, sharp: access === 'matched' || (open && item.kind === 'image') }))
  return tier === 'limited' || tier === 'locked' ? shown.slice(0, PREVIEW_PHOTOS) : shown
}

/** Whether a viewer may hear the voice intro: never in a short form. */
export function mayHearVoice(access: Access, owner: Pick<ProfileRow, 'visibility_mode' | 'field_visibility'>): boolean {
  if (access === 'self') return true
  const tier = tierFor(access, owner.visibility_mode)
  return (tier === 'matched' || tier === 'full') && mayShow(access, owner.field_visibility.voiceIntro)
}
