import { sql } from 'kysely'
import { MAX_DISTANCE_MILES } from '../../domain/profile/limits.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { loadCards } from '../view/cards.ts'
import type { Card } from '../view/present.ts'
import { type DeckFilters, type FilterName, mayFilterBy, type SearchCriteria, wantedBy, without } from './filters.ts'
import { boxAround, fits, milesFrom, nearEnough, reachOf, type SeekerLocation, shuffled } from './fit.ts'
import { filledRings } from './rings.ts'
import type { CandidateRow } from './table.ts'

/** A deck (api-contract C06). */
export const DECK_SIZE = 20
/** The search widens by these miles until a deck is full: dense areas read few rows, empty ones few times. */
const RINGS = [0, 1.5, 5, 15, 50, 250] as const
/** How many live in such a ring differs so much that its plan is made for each location (`services/prepared.ts`). */
const WIDE = 50
/** Nobody needs to know that more would show. */
const COUNTED = 1000

export type CostliestFilter = { filter: FilterName; wouldShow: number }
export type Deck = { users: Card[]; costliest?: CostliestFilter }
type Search = { viewer: CandidateRow; location: SeekerLocation | null; wanted: SearchCriteria; now: Date }

/** The deck; an empty one says which filter costs most (ruling R34). */
export async function getDeck(db: ReadDb, viewer: MemberId, filters: DeckFilters, now: Date): Promise<Deck> {
  const users = await listCandidates(db, viewer, filters, now)
  if (users.length > 0) return { users }
  const costliest = await findCostliestFilter(db, viewer, filters, now)
  return costliest ? { users, costliest } : { users }
}

/**
 * At most 20 members who fit the viewer and whom the viewer fits, the nearest cells first, those without a location
 * last.
 */
export async function listCandidates(db: ReadDb, viewer: MemberId, filters: DeckFilters, now: Date): Promise<Card[]> {
  const search = await begin(db, viewer, filters, now)
  if (!search) return []
  const located = search.location ? await searchRings(db, search, search.location) : []
  const rest = DECK_SIZE - located.length
  const members = rest > 0 ? [...located, ...(await searchUnlocated(db, search, rest))] : located
  return loadCards(db, viewer, members, { now, eligible: filters.eligible ?? false })
}

/** Which filter's removal would show the most members, counted up to 1000; null when none would show any. */
export async function findCostliestFilter(
  db: ReadDb,
  viewer: MemberId,
  filters: DeckFilters,
  now: Date,
): Promise<CostliestFilter | null> {
  const search = await begin(db, viewer, filters, now)
  if (!search) return null
  let costliest: CostliestFilter | null = null
  for (const filter of ['age', 'distance', 'vibe', 'interests'] as const) {
    const wanted = without(filter, search.wanted)
    if (!wanted) continue
    const wouldShow = await countFits(db, { ...search, wanted })
    if (wouldShow > (costliest?.wouldShow ?? 0)) costliest = { filter, wouldShow }
  }
  return costliest
}

/** What the page of the deck asks of its viewer beside the deck. */
export type Seeker = Pick<CandidateRow, 'interests' | 'vibe' | 'age_min' | 'age_max' | 'distance_miles'> & {
  readonly hasLocation: boolean
}

/** Throws for a member without an account. */
export async function getSeeker(db: ReadDb, member: MemberId): Promise<Seeker> {
  const found = await load(db, member)
  if (!found) throw new Error('Nobody seeks under this id.')
  return { ...found.viewer, hasLocation: found.location !== null }
}

async function load(
  db: ReadDb,
  member: MemberId,
): Promise<{ viewer: CandidateRow; location: SeekerLocation | null } | null> {
  const row = await db
    .selectFrom('candidate as c')
    .leftJoin('member_cell as m', 'm.member', 'c.member')
    .selectAll('c')
    .select(['m.lat', 'm.lng', 'm.cell_row'])
    .where('c.member', '=', member)
    .executeTakeFirst()
  if (!row) return null
  const { lat, lng, cell_row, ...viewer } = row
  return { viewer, location: lat === null || lng === null || cell_row === null ? null : { lat, lng, cell_row } }
}

/** null for a viewer who is to see nobody: no member, or a filter that is not theirs to use. */
async function begin(db: ReadDb, member: MemberId, filters: DeckFilters, now: Date): Promise<Search | null> {
  const found = await load(db, member)
  if (found?.viewer.status !== 'active' || !found.viewer.started) return null
  if (filters.vibe && !mayFilterBy(filters.vibe, found.viewer, filters.eligible)) return null
  return { ...found, wanted: wantedBy(found.viewer, filters), now }
}

/** A ring that fills the deck holds the nearest of all: whoever is outside is further away, rounded as shown. */
async function searchRings(db: ReadDb, search: Search, location: SeekerLocation): Promise<string[]> {
  const { viewer, wanted, now } = search
  const miles = milesFrom(location)
  const within = async (ring: number | null) => {
    const near = ring === null ? sql`true` : sql`${boxAround(location, ring)} and ${miles} <= ${ring}::float8`
    const planned = ring === null || ring >= WIDE ? sql`/* planned each time */` : sql``
    const { rows } = await sql<{ member: string }>`${planned}select c.member from read.member_cell m
      join read.candidate c on c.member = m.member
      where ${near} and ${nearEnough(miles, wanted.miles)} and ${fits(viewer, wanted, now)}
      order by ${miles}, ${shuffled(viewer.member, now)}, c.member limit ${DECK_SIZE}`.execute(db)
    return rows.map((row) => row.member)
  }
  const limit = wanted.miles >= MAX_DISTANCE_MILES ? null : reachOf(wanted.miles)
  const deck = JSON.stringify([viewer.member, location, wanted, now.toISOString().slice(0, 10)])
  const start = filledRings.of(deck)
  for (const ring of RINGS.filter((one) => one >= start && (limit === null || one < limit))) {
    const found = await within(ring)
    if (found.length < DECK_SIZE) continue
    filledRings.remember(deck, ring)
    return found
  }
  filledRings.remember(deck, Number.POSITIVE_INFINITY)
  return within(limit)
}

/** Those whose distance is unknown; all of them, for a viewer without a location. */
async function searchUnlocated(
  db: ReadDb,
  { viewer, location, wanted, now }: Search,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ member: string }>`select c.member from read.candidate c
    where ${location ? unlocated : sql`true`} and ${fits(viewer, wanted, now)}
    order by ${shuffled(viewer.member, now)}, c.member limit ${limit}`.execute(db)
  return rows.map((row) => row.member)
}
const unlocated = sql`not exists (select from read.member_cell m where m.member = c.member)`

async function countFits(db: ReadDb, { viewer, location, wanted, now }: Search): Promise<number> {
  const near = location ? sql`(m.member is null or (${nearEnough(milesFrom(location), wanted.miles)}))` : sql`true`
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (
    select from read.candidate c left join read.member_cell m on m.member = c.member
    where ${near} and ${fits(viewer, wanted, now)} limit ${COUNTED}) fitting`.execute(db)
  return rows[0]?.n ?? 0
}
