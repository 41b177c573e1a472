import { type RawBuilder, sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { MAX_DISTANCE_MILES } from '../../domain/profile/limits.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { lastSkipOf } from '../relations/queries.ts'
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
/** How many of such a ring fit differs so much that its plan is made for each viewer (`services/prepared.ts`). */
const WIDE = 50
/** Nobody needs to know that more would show. */
const COUNTED = 1000
const FILTERS = ['age', 'distance', 'vibe', 'interests'] as const

export type CostliestFilter = { filter: FilterName; wouldShow: number }
export type Deck = { users: Card[]; costliest?: CostliestFilter }
/** The member whose deck it is, read once for all that is asked about it. */
export type Seeker = {
  readonly row: CandidateRow
  readonly location: SeekerLocation | null
  /** Whom one tap brings back. */
  readonly lastSkip: { readonly to: MemberId; readonly firstName: string } | null
}
type Search = {
  viewer: CandidateRow
  location: SeekerLocation | null
  wanted: SearchCriteria
  eligible: boolean
  now: Date
  size: number
}

/** null for a member without an account. */
export async function findSeeker(db: ReadDb, member: MemberId, now: Date): Promise<Seeker | null> {
  const found = await db
    .selectFrom('candidate as c')
    .leftJoin('member_cell as m', 'm.member', 'c.member')
    .selectAll('c')
    .select(['m.lat', 'm.lng', 'm.cell_row'])
    .select(jsonObjectFrom(lastSkipOf(db, member, now).select('p.first_name')).as('last_skip'))
    .where('c.member', '=', member)
    .executeTakeFirst()
  if (!found) return null
  const { lat, lng, cell_row, last_skip, ...row } = found
  const location = lat === null || lng === null || cell_row === null ? null : { lat, lng, cell_row }
  const lastSkip = last_skip && { to: last_skip.other as MemberId, firstName: last_skip.first_name }
  return { row, location, lastSkip }
}

/** The deck; an empty one names the filter that costs most (ruling R34). */
export async function getDeck(db: ReadDb, seeker: Seeker | null, filters: DeckFilters, now: Date): Promise<Deck> {
  const users = await listCandidates(db, seeker, filters, now)
  if (users.length > 0) return { users }
  const costliest = await findCostliestFilter(db, seeker, filters, now)
  return costliest ? { users, costliest } : { users }
}

/** Members who fit the seeker and whom the seeker fits, the nearest cells first, those without a location last. */
export async function listCandidates(
  db: ReadDb,
  seeker: Seeker | null,
  filters: DeckFilters,
  now: Date,
): Promise<Card[]> {
  const search = begin(seeker, filters, now)
  if (!search || !isAllowed(search)) return []
  const located = search.location ? await searchRings(db, search, search.location) : []
  const rest = search.size - located.length
  const nearest = rest > 0 ? [...located, ...(await searchUnlocated(db, search, rest))] : located
  const first = filters.first && (await isOfDeck(db, search, filters.first)) ? [filters.first] : []
  const members = [...new Set([...first, ...nearest])].slice(0, search.size)
  return loadCards(db, search.viewer.member as MemberId, members, { now, eligible: filters.eligible ?? false })
}

/** Which filter's removal would show the most members, counted up to 1000; null when none would show any. */
export async function findCostliestFilter(
  db: ReadDb,
  seeker: Seeker | null,
  filters: DeckFilters,
  now: Date,
): Promise<CostliestFilter | null> {
  const search = begin(seeker, filters, now)
  const opened = FILTERS.flatMap((filter) => {
    const wanted = search && without(filter, search.wanted)
    if (!wanted || !isAllowed({ ...search, wanted })) return []
    return sql`(${countFits({ ...search, wanted })}) as ${sql.ref(filter)}`
  })
  if (opened.length === 0) return null
  const { rows } = await sql<Partial<Record<FilterName, number>>>`select ${sql.join(opened)}`.execute(db)
  const counted = FILTERS.map((filter) => ({ filter, wouldShow: rows[0]?.[filter] ?? 0 }))
  const most = counted.reduce((best, one) => (one.wouldShow > best.wouldShow ? one : best))
  return most.wouldShow > 0 ? most : null
}

/** null for a viewer who is to see nobody. */
function begin(seeker: Seeker | null, filters: DeckFilters, now: Date): Search | null {
  if (seeker?.row.status !== 'active' || !seeker.row.started) return null
  const { row: viewer, location } = seeker
  const { eligible = false, size = DECK_SIZE } = filters
  return { viewer, location, wanted: wantedBy(viewer, filters), eligible, now, size }
}

/** A vibe that is not the viewer's to filter by fits nobody. */
const isAllowed = ({ wanted, viewer, eligible }: Search) => !wanted.vibe || mayFilterBy(wanted.vibe, viewer, eligible)

/** A ring that fills the deck holds the nearest of all: whoever is outside is further away, rounded as shown. */
async function searchRings(db: ReadDb, search: Search, location: SeekerLocation): Promise<string[]> {
  const { viewer, wanted, now, size } = search
  const miles = milesFrom(location)
  const within = async (ring: number | null) => {
    const near = ring === null ? sql`true` : sql`${boxAround(location, ring)} and ${miles} <= ${ring}::float8`
    const planned = ring === null || ring >= WIDE ? sql`/* planned each time */` : sql``
    const { rows } = await sql<{ member: string }>`${planned}select c.member from read.member_cell m
      join read.candidate c on c.member = m.member
      where ${near} and ${nearEnough(miles, wanted.miles)} and ${fits(viewer, wanted, now)}
      order by ${miles}, ${shuffled(viewer.member, now)}, c.member limit ${size}`.execute(db)
    return rows.map((row) => row.member)
  }
  const limit = wanted.miles >= MAX_DISTANCE_MILES ? null : reachOf(wanted.miles)
  const deck = JSON.stringify([viewer.member, location, wanted, size, now.toISOString().slice(0, 10)])
  const start = filledRings.of(deck)
  for (const ring of RINGS.filter((one) => one >= start && (limit === null || one < limit))) {
    const found = await within(ring)
    if (found.length < size) continue
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

/** Whether that member is among all whom the search would find. */
async function isOfDeck(db: ReadDb, search: Search, member: MemberId): Promise<boolean> {
  const { rows } = await sql`select ${allThatFit(search)} and c.member = ${member}`.execute(db)
  return rows.length > 0
}

const countFits = (search: Search): RawBuilder<number> =>
  sql`select count(*)::int from (select ${allThatFit(search)} limit ${COUNTED}) fitting`

/** From whom to select, and who of them is near enough and fits. */
function allThatFit({ viewer, location, wanted, now }: Search) {
  const near = location ? sql`(m.member is null or (${nearEnough(milesFrom(location), wanted.miles)}))` : sql`true`
  return sql`from read.candidate c left join read.member_cell m on m.member = c.member
    where ${near} and ${fits(viewer, wanted, now)}`
}
