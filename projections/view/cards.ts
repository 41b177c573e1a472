import { type Distance, distanceBetween, type LatLng } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { loadGalleries } from './access.ts'
import { among } from './policy.ts'
import { type Card, presentCard, presentFace } from './present.ts'
import { decideAccess } from './visibility.ts'

/** How cards are made: whether the viewer may see restricted modes, and the clock for ages. */
export type CardOptions = { readonly now: Date; readonly eligible?: boolean }

/** Cards of these members in this order; whom the viewer may not see falls out. */
export async function loadCards(
  db: ReadDb,
  viewer: MemberId,
  members: readonly string[],
  { now, eligible = false }: CardOptions,
): Promise<Card[]> {
  if (members.length === 0) return []
  const [rows, galleries] = await Promise.all([loadRows(db, viewer, members), loadGalleries(db, members)])
  const rowOf = new Map(rows.map((row) => [row.member, row]))
  return members.flatMap((member) => {
    const row = rowOf.get(member)
    const access = decideAccess(viewer, row, row)
    if (!row || !access) return []
    const distance = apart(placeOf(row.viewer_lat, row.viewer_lng), placeOf(row.lat, row.lng))
    return presentCard(row, galleries.get(member) ?? [], { access, now, eligible, distance }) ?? []
  })
}

/** The picture of each member for a list without cards, by member; null where the viewer may see none. */
export async function loadFaces(
  db: ReadDb,
  viewer: MemberId,
  members: readonly string[],
): Promise<Map<string, string | null>> {
  if (members.length === 0) return new Map()
  const [rows, galleries] = await Promise.all([profilesFor(db, viewer, members).execute(), loadGalleries(db, members)])
  const faces = rows.map((row) => {
    const access = decideAccess(viewer, row, row)
    return [row.member, access && presentFace(row, galleries.get(row.member) ?? [], access)] as const
  })
  return new Map(faces)
}

/** Each profile with the viewer's relation to its owner. */
function profilesFor(db: ReadDb, viewer: MemberId, members: readonly string[]) {
  return db
    .selectFrom('profile as p')
    .leftJoin('relation as r', (join) => join.onRef('r.other', '=', 'p.member').on('r.member', '=', viewer))
    .selectAll('p')
    .select(['r.liked_at', 'r.liked_me_at', 'r.matched_at', 'r.blocked_at', 'r.blocked_me_at'])
    .where(among('p.member', members))
}

/** The same with the cells of both, in one query. */
function loadRows(db: ReadDb, viewer: MemberId, members: readonly string[]) {
  return profilesFor(db, viewer, members)
    .leftJoin('member_cell as m', 'm.member', 'p.member')
    .leftJoin('member_cell as v', (join) => join.on('v.member', '=', viewer))
    .select(['m.lat', 'm.lng', 'v.lat as viewer_lat', 'v.lng as viewer_lng'])
    .execute()
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
