import { type Distance, distanceBetween, type LatLng } from '../domain/shared/grid.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import { loadGalleries } from './access.ts'
import { type Card, presentCard } from './present.ts'
import type { ReadDb } from './projection.ts'
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
  const [profiles, standings, galleries, places] = await Promise.all([
    db.selectFrom('profile').selectAll().where('member', 'in', members).execute(),
    db.selectFrom('relation').selectAll().where('member', '=', viewer).where('other', 'in', members).execute(),
    loadGalleries(db, members),
    loadPlaces(db, [viewer, ...members]),
  ])
  const rows = new Map(profiles.map((row) => [row.member, row]))
  const standingOf = new Map(standings.map((row) => [row.other, row]))
  return members.flatMap((member) => {
    const row = rows.get(member)
    const access = decideAccess(viewer, row, standingOf.get(member))
    if (!row || !access) return []
    const distance = distanceApart(places, viewer, member)
    return presentCard(row, galleries.get(member) ?? [], { access, now, eligible, distance }) ?? []
  })
}

/** The cells of these members, by member; one without a known place is not there. */
export async function loadPlaces(db: ReadDb, members: readonly string[]): Promise<Map<string, LatLng>> {
  const rows = await db
    .selectFrom('member_cell')
    .select(['member', 'lat', 'lng'])
    .where('member', 'in', members)
    .execute()
  return new Map(rows.map((row) => [row.member, row]))
}

/** Between their cells; null when either place is unknown. */
export function distanceApart(places: ReadonlyMap<string, LatLng>, a: string, b: string): Distance | null {
  const [from, to] = [places.get(a), places.get(b)]
  return from && to ? distanceBetween(from, to) : null
}
