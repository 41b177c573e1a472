import { type Distance, distanceBetween, type LatLng } from '../../domain/shared/grid.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { loadGalleries } from './access.ts'
import { among } from './policy.ts'
import { type Card, presentCard } from './present.ts'
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

/** Each profile with how the viewer stands to its owner, and both their places, in one query. */
function loadRows(db: ReadDb, viewer: MemberId, members: readonly string[]) {
  return db
    .selectFrom('profile as p')
    .leftJoin('relation as r', (join) => join.onRef('r.other', '=', 'p.member').on('r.member', '=', viewer))
    .leftJoin('member_cell as m', 'm.member', 'p.member')
    .leftJoin('member_cell as v', (join) => join.on('v.member', '=', viewer))
    .selectAll('p')
    .select(['r.liked_at', 'r.liked_me_at', 'r.matched_at', 'r.blocked_at', 'r.blocked_me_at'])
    .select(['m.lat', 'm.lng', 'v.lat as viewer_lat', 'v.lng as viewer_lng'])
    .where(among('p.member', members))
    .execute()
}

const placeOf = (lat: number | null, lng: number | null): LatLng | null =>
  lat === null || lng === null ? null : { lat, lng }

/** The cells of these members, by member; one without a known place is not there. */
export async function loadPlaces(db: ReadDb, members: readonly string[]): Promise<Map<string, LatLng>> {
  const rows = await db
    .selectFrom('member_cell')
    .select(['member', 'lat', 'lng'])
    .where(among('member', members))
    .execute()
  return new Map(rows.map((row) => [row.member, row]))
}

/** Between their cells; null when either place is unknown. */
export function distanceApart(places: ReadonlyMap<string, LatLng>, a: string, b: string): Distance | null {
  return apart(places.get(a) ?? null, places.get(b) ?? null)
}

const apart = (from: LatLng | null, to: LatLng | null): Distance | null => from && to && distanceBetween(from, to)
