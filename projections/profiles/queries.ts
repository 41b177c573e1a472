import { INTERESTS_SHOWN } from '../../domain/profile/limits.ts'
import { ageOn } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { avatarForMatch } from '../relations/queries.ts'
import { findEncounter } from '../view/access.ts'
import { loadLocations, memberDistance } from '../view/cards.ts'
import { galleryOfProfile, loadGallery } from '../view/galleries.ts'
import { mediaUrl, type ProfileView, presentProfile, type ViewOptions, vibeFor } from '../view/present.ts'
import { presentSelf, type SelfView } from '../view/present-self.ts'
import {
  type Access,
  DELETED_MEMBER,
  decideAccess,
  firstNameFor,
  isHidden,
  isUnmatchedLately,
  mayShow,
} from '../view/visibility.ts'

/**
 * What GET /users/{id} answers (api-contract C27). `user` is the whole self for self, id and first name (or '') for
 * blocked-by-me, and null for unavailable. `unmatchedLately`: no buzz is possible yet.
 */
export type ProfileAnswer = { matched: boolean; likedByMe: boolean; likedMe: boolean; preview: boolean } & (
  | { access: 'self'; user: SelfView; blocked: false }
  | { access: 'matched' | 'preview' | 'locked'; user: ProfileView; blocked: false; unmatchedLately?: true }
  | { access: 'blocked-by-me'; user: { id: MemberId; firstName: string }; blocked: true }
  | { access: 'unavailable'; user: null; blocked: false }
)
/** `limited` asks for the short form: always (/preview), or for who is no match (/view, ruling R1). */
export type ProfileOptions = Pick<ViewOptions, 'now' | 'eligible' | 'online'> & {
  limited?: boolean | 'unless-matched'
}

const NOTHING = { matched: false, likedByMe: false, likedMe: false, preview: false }

/** Another member as the viewer may see them; null when nobody is there (404). */
export async function findProfile(
  db: ReadDb,
  viewer: MemberId,
  owner: MemberId,
  options: ProfileOptions,
): Promise<ProfileAnswer | null> {
  const { access, owner: row, relation } = await findEncounter(db, viewer, owner)
  if (!access || !row) return null
  if (access === 'self') return { ...NOTHING, access, user: await getSelf(db, viewer, options.now), blocked: false }
  if (access === 'unavailable') return { ...NOTHING, access, user: null, blocked: false }
  if (access === 'blocked-by-me')
    return {
      ...NOTHING,
      access,
      user: { id: owner, firstName: firstNameFor(viewer, row, relation) ?? '' },
      blocked: true,
    }
  const [gallery, locations] = await Promise.all([loadGallery(db, owner), loadLocations(db, [viewer, owner])])
  const limited = options.limited === 'unless-matched' ? access !== 'matched' : options.limited
  const view = { ...options, access, distance: memberDistance(locations, viewer, owner), limited: limited ?? false }
  const user = presentProfile(row, gallery, view) as ProfileView
  const [likedByMe, likedMe] = [Boolean(relation.liked_at), Boolean(relation.liked_me_at)]
  const lately = isUnmatchedLately(relation, options.now) && { unmatchedLately: true as const }
  return { access, user, likedByMe, likedMe, blocked: false, ...formOf(access, limited), ...lately }
}

function formOf(access: Access, limited = false) {
  return { matched: access === 'matched', preview: access === 'preview' || (access === 'matched' && limited) }
}

/** One's own profile; throws for a member without an account. */
export async function getSelf(db: ReadDb, member: MemberId, now: Date): Promise<SelfView> {
  const { gallery, ...row } = await ownRow(db, member)
  return presentSelf(row, gallery, now)
}

/** The member's own row is not there: their account ended as they asked, or the read model has not come to its beginning. */
export class ProfileGone extends Error {
  override name = 'ProfileGone'
}

/** Throws ProfileGone. */
const ownRow = (db: ReadDb, member: MemberId) =>
  db
    .selectFrom('profile as p')
    .selectAll('p')
    .select(galleryOfProfile(db).as('gallery'))
    .where('p.member', '=', member)
    .executeTakeFirstOrThrow(() => new ProfileGone('the profile has gone'))

/** `everyone` is the short form, which lists and previews give (ruling R1). */
export const AUDIENCES = ['stranger', 'match', 'everyone'] as const
export type Audience = (typeof AUDIENCES)[number]

/** Somebody whom no row names. */
const ANYBODY = '' as MemberId

/** One's own profile as others get it, by the decision that is theirs; `user` is null where they get nothing. */
export async function getSelfAs(
  db: ReadDb,
  member: MemberId,
  { audience, now }: { audience: Audience; now: Date },
): Promise<{ access: Access | null; user: ProfileView | null }> {
  const { gallery, ...row } = await ownRow(db, member)
  const relation = { liked_at: null, liked_me_at: null, matched_at: now, blocked_at: null, blocked_me_at: null }
  const access = decideAccess(ANYBODY, row, audience === 'match' ? relation : undefined)
  if (audience !== 'everyone') return { access, user: access && presentProfile(row, gallery, { access, now }) }
  const user = access && presentProfile(row, gallery, { access, now, limited: true, card: true })
  return { access: access === 'locked' ? 'preview' : access, user }
}

/** A match, as far as its room and its page show them. A key that the viewer may not see is absent. */
export type MatchCard = {
  id: MemberId
  firstName: string
  avatar: string | null
  interests?: string[]
  city?: string
  vibe?: string
  age?: number
  bio: string
  verified: boolean
}

/** null for anyone who is no match of the viewer's. */
export async function findMatch(db: ReadDb, viewer: MemberId, other: MemberId, now: Date): Promise<MatchCard | null> {
  const { access, owner } = await findEncounter(db, viewer, other)
  if (access !== 'matched' || !owner) return null
  const levels = owner.field_visibility
  const vibe = vibeFor(access, owner.vibe, false)
  return {
    id: other,
    firstName: owner.first_name,
    avatar: avatarForMatch(owner.avatar, levels),
    bio: owner.bio,
    verified: owner.verified,
    ...(owner.dob !== '' && mayShow(access, levels.age) && { age: ageOn(owner.dob, now) }),
    ...(mayShow(access, levels.interests) && { interests: owner.interests.slice(0, INTERESTS_SHOWN) }),
    ...(mayShow(access, levels.city) && { city: owner.city }),
    ...(vibe && mayShow(access, levels.lookingFor) && { vibe }),
  }
}

/** One's own face beside another's. */
export type OwnCard = {
  id: MemberId
  firstName: string
  avatar: string | null
  interests: readonly string[]
  city: string
  vibe: string
}

/** Throws ProfileGone. */
export async function getOwnCard(db: ReadDb, member: MemberId): Promise<OwnCard> {
  const row = await db
    .selectFrom('profile')
    .select(['first_name', 'avatar', 'interests', 'city', 'vibe'])
    .where('member', '=', member)
    .executeTakeFirstOrThrow(() => new ProfileGone('the profile has gone'))
  const { first_name: firstName, avatar, interests, city, vibe } = row
  return { id: member, firstName, avatar: avatar && mediaUrl(avatar), interests, city, vibe }
}

/** Whether matches may see that the member is online (api-contract §6.8); nobody sees it of one who is not there. */
export async function showsPresence(db: ReadDb, member: MemberId): Promise<boolean> {
  const row = await db
    .selectFrom('profile')
    .select(['visibility_mode', 'visibility'])
    .where('member', '=', member)
    .executeTakeFirst()
  return row !== undefined && !isHidden(row)
}

/** Where mail of a member goes; null once there is nobody to write to. */
export async function findAddress(db: ReadDb, member: MemberId): Promise<string | null> {
  const row = await db.selectFrom('profile').select('email').where('member', '=', member).executeTakeFirst()
  return row?.email || null
}

/** First names for words about members, by id: "Deleted member" for those who are no more. */
export async function listFirstNames(db: ReadDb, members: readonly MemberId[]): Promise<Map<MemberId, string>> {
  const rows =
    members.length === 0
      ? []
      : await db.selectFrom('profile').select(['member', 'first_name']).where('member', 'in', members).execute()
  const names = new Map(rows.map((row) => [row.member, row.first_name]))
  return new Map(members.map((member) => [member, names.get(member) ?? DELETED_MEMBER]))
}
