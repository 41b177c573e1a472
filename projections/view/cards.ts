import { type Distance, distanceBetween, type LatLng } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { galleryOfProfile } from './galleries.ts'
import { among, meetable } from './policy.ts'
import { type Card, presentCard, presentFace } from './present.ts'
import { decideAccess } from './visibility.ts'

/** How cards are made: whether the viewer may see restricted modes, and the clock for ages. */
/** `eligible`: whether the viewer has restricted modes. */
export type CardOptions = { readonly now: Date; readonly eligible: boolean }

/** Cards of these members in this order; whom the viewer may not see falls out. */
export async function loadCards(
  db: ReadDb,
  viewer: MemberId,
  members: readonly string[],
  { now, eligible }: CardOptions,
): Promise<Card[]> {
  if (members.length === 0) return []
  const rows = await cardsFor(db, viewer, members).execute()
  const rowOf = new Map(rows.map((row) => [row.member, row]))
  return members.flatMap((member) => {
    const row = rowOf.get(member)
    const access = decideAccess(viewer, row, row)
    if (!row || !access) return []
    const distance = apart(placeOf(row.viewer_lat, row.viewer_lng), placeOf(row.lat, row.lng))
    return presentCard(row, row.gallery, { access, now, eligible, distance }) ?? []
  })
}

/** Of a member in a list without cards; `photo` is null where the viewer may see none. */
export type Face = { readonly firstName: string; readonly photo: string | null; readonly matched: boolean }

/** The face of each of these members, by member. */
export async function loadFaces(db: ReadDb, viewer: MemberId, members: readonly string[]): Promise<Map<string, Face>> {
  if (members.length === 0) return new Map()
  const rows = await facesFor(db, viewer, members).execute()
  const faces = rows.map((row) => {
    const access = decideAccess(viewer, row, row)
    const photo = access && presentFace(row, row.gallery, access)
    return [row.member, { firstName: row.first_name, photo, matched: access === 'matched' }] as const
  })
  return new Map(faces)
}

/** The face of who buzzed or matched the viewer, as their notifications show it; null for everybody else. */
export async function findFace(db: ReadDb, viewer: MemberId, member: MemberId): Promise<Face | null> {
  const known = await db
    .selectFrom('relation as r')
    .innerJoin('profile as p', 'p.member', 'r.other')
    .select('p.member')
    .where('r.member', '=', viewer)
    .where('r.other', '=', member)
    .where(meetable)
    .where((is) => is.or([is('r.liked_me_at', 'is not', null), is('r.matched_at', 'is not', null)]))
    .executeTakeFirst()
  return known ? ((await loadFaces(db, viewer, [member])).get(member) ?? null) : null
}

/** What decides of each member's pictures, with the pictures and the viewer's relation to their owner. */
function facesFor(db: ReadDb, viewer: MemberId, members: readonly string[]) {
  return db
    .selectFrom('profile as p')
    .leftJoin('relation as r', (join) => join.onRef('r.other', '=', 'p.member').on('r.member', '=', viewer))
    .select(['p.member', 'p.status', 'p.started', 'p.visibility_mode', 'p.visibility'])
    .select(['p.first_name', 'p.blur', 'p.field_visibility', 'p.avatar', galleryOfProfile(db).as('gallery')])
    .select(['r.liked_at', 'r.liked_me_at', 'r.matched_at', 'r.blocked_at', 'r.blocked_me_at'])
    .where(among('p.member', members))
}

/** The same with all that a card shows, and the cells of both. */
function cardsFor(db: ReadDb, viewer: MemberId, members: readonly string[]) {
  return facesFor(db, viewer, members)
    .leftJoin('member_cell as m', 'm.member', 'p.member')
    .leftJoin('member_cell as v', (join) => join.on('v.member', '=', viewer))
    .select(['p.dob', 'p.bio', 'p.interests', 'p.vibe', 'p.verified'])
    .select(['m.lat', 'm.lng', 'v.lat as viewer_lat', 'v.lng as viewer_lng'])
}

const placeOf = (lat: number | null, lng: number | null): LatLng | null =>
  lat === null || lng === null ? null : { lat, lng }

/** The cells of these members, by member; one without a known location is not there. */
export async function loadLocations(db: ReadDb, members: readonly string[]): Promise<Map<string, LatLng>> {
  const rows = await db
    .selectFrom('member_cell')
    .select(['member', 'lat', 'lng'])
    .where(among('member', members))
    .execute()
  return new Map(rows.map((row) => [row.member, row]))
}

/** Between their cells; null when either location is unknown. */
export function memberDistance(locations: ReadonlyMap<string, LatLng>, a: string, b: string): Distance | null {
  return apart(locations.get(a) ?? null, locations.get(b) ?? null)
}

const apart = (from: LatLng | null, to: LatLng | null): Distance | null => from && to && distanceBetween(from, to)
