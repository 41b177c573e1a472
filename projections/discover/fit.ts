import { createHash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { REBUZZ_MS } from '../../domain/pair/limits.ts'
import type { Sought } from '../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES } from '../../domain/profile/limits.ts'
import { addMs, ageOn } from '../../domain/shared/dates.ts'
import {
  DISCOVER_CELL_M,
  EARTH_RADIUS_M,
  type LatLng,
  METRES_PER_DEGREE,
  toMetres,
  toMiles,
} from '../../domain/shared/grid.ts'
import { isToCome } from '../expiry.ts'
import { type Births, birthsOf, hiddenBirthsOf, type SearchCriteria } from './filters.ts'
import type { CandidateRow } from './table.ts'

type Condition = RawBuilder<SqlBool>
/** The rounded distance of a cell to its corner neighbours: no limit reaches less far (ruling R8). */
export const NEIGHBOUR_MILES = 0.9
export type SeekerLocation = LatLng & { readonly cell_row: number }

/** Who fits whom, both ways, but for distance (ruling R34): the candidate is c. */
export function fits(viewer: CandidateRow, wanted: SearchCriteria, now: Date): Condition {
  const age = ageOn(viewer.dob, now)
  const born = (births: Births) =>
    sql`(c.dob <= ${births.until} and (${births.after}::text is null or c.dob > ${births.after}))`
  const conditions = [
    sql`c.discoverable and c.member <> ${viewer.member}`,
    sql`c.sought_as = any(${soughtBy(viewer)}::text[])`,
    seeksThem[viewer.sought_as],
    sql`c.age_min <= ${age}::int and (c.age_max >= ${MAX_AGE}::int or c.age_max >= ${age}::int)`,
    sql`(case when c.age_shown then ${born(birthsOf(wanted.age, now))} else ${born(hiddenBirthsOf(wanted.age, now))} end)`,
    ...(wanted.vibe ? [sql`c.vibe_shown and c.vibe = ${wanted.vibe}`] : []),
    ...(wanted.interests.length > 0
      ? [sql`c.interests_shown and c.interests ?| ${[...wanted.interests]}::text[]`]
      : []),
    unmet(viewer.member, now),
  ]
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

const seeksThem = {
  male: sql`c.seeks_male`,
  female: sql`c.seeks_female`,
  other: sql`c.seeks_other`,
} satisfies Record<Sought, RawBuilder<unknown>>

function soughtBy({ seeks_male, seeks_female, seeks_other }: CandidateRow): string[] {
  return [...(seeks_male ? ['male'] : []), ...(seeks_female ? ['female'] : []), ...(seeks_other ? ['other'] : [])]
}

/**
 * Neither liked, matched, blocked either way, skipped of late (api-contract C06), nor unmatched so lately that no buzz is
 * possible yet (api-contract C43).
 */
function unmet(viewer: string, now: Date): RawBuilder<unknown> {
  return sql`not exists (select from read.relation r where r.member = ${viewer} and r.other = c.member
    and (r.liked_at is not null or r.matched_at is not null or r.blocked_at is not null
      or r.blocked_me_at is not null or ${isToCome(sql`r.skipped_until`, now)} or r.unmatched_at > ${addMs(now, -REBUZZ_MS)}))`
}

/** Miles between the centres of the viewer's cell and m, rounded to 0.1; as `distanceBetween`. */
export function milesFrom({ lat, lng }: LatLng): RawBuilder<number> {
  const [viewerLat, viewerLng] = [sql`${lat}::float8`, sql`${lng}::float8`]
  return sql`round((${toMiles(2 * EARTH_RADIUS_M)}::float8 * asin(least(1, sqrt(
    power(sin(radians(m.lat - ${viewerLat}) / 2), 2) + cos(radians(${viewerLat})) * cos(radians(m.lat))
    * power(sin(radians(m.lng - ${viewerLng}) / 2), 2)))))::numeric, 1)`
}

/** Whether so many miles are near enough for both; 1000 is no limit, and none is below the next cells (ruling R8). */
export function nearEnough(miles: RawBuilder<number>, limit: number): Condition {
  const reach = sql`(c.distance_miles >= ${MAX_DISTANCE_MILES}::float8
    or ${miles} <= greatest(c.distance_miles, ${NEIGHBOUR_MILES}::float8))`
  return limit >= MAX_DISTANCE_MILES ? sql`${reach}` : sql`${reach} and ${miles} <= ${reachOf(limit)}::float8`
}

export const reachOf = (limit: number): number => Math.max(limit, NEIGHBOUR_MILES)

/** A box around the viewer's cell that holds every cell within so many miles; m is the cell. */
export function boxAround({ lat, lng, cell_row }: SeekerLocation, miles: number): Condition {
  const meters = toMetres(miles + 0.1)
  const rows = Math.ceil(meters / DISCOVER_CELL_M) + 1
  const band = sql`m.cell_row between ${cell_row - rows}::int and ${cell_row + rows}::int`
  const outermost = Math.abs(lat) + meters / METRES_PER_DEGREE
  const degrees = meters / (METRES_PER_DEGREE * Math.cos((Math.min(outermost, 89) * Math.PI) / 180))
  const wraps = outermost > 85 || lng - degrees < -180 || lng + degrees > 180
  return wraps ? sql`${band}` : sql`${band} and m.lng between ${lng - degrees}::float8 and ${lng + degrees}::float8`
}

/**
 * The order among equals: the same all day for one viewer, another for the next, and independent of locations (security
 * T3).
 */
export function shuffled(viewer: string, now: Date): RawBuilder<bigint> {
  const day = now.toISOString().slice(0, 10)
  const seed = createHash('sha256').update(`${viewer}|${day}`).digest().readBigInt64BE(0)
  return sql`hashtextextended(c.member, ${String(seed)}::bigint)`
}
