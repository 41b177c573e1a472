import { PRIVATE_VIBES, RESTRICTED_MODES, type Vibe } from '../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../domain/profile/limits.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { CandidateRow } from './table.ts'

/** What a member asks of the deck; an absent key falls back to their preferences. `eligible`: restricted modes. */
export type DeckFilters = {
  readonly ageMin?: number
  readonly ageMax?: number
  readonly distanceMiles?: number
  readonly vibe?: Vibe
  readonly interests?: readonly string[]
  readonly eligible?: boolean
  /** At most so many cards; a whole deck when absent. */
  readonly size?: number
  /** Whoever was brought back: before all others, where they are of this deck, however far away. */
  readonly first?: MemberId | null
}
export type FilterName = 'age' | 'distance' | 'vibe' | 'interests'

/** The filters with the preferences behind them; null where nothing is asked. */
export type SearchCriteria = {
  readonly age: readonly [number, number]
  readonly miles: number
  readonly vibe: Vibe | null
  readonly interests: readonly string[]
}

export function wantedBy(viewer: CandidateRow, filters: DeckFilters): SearchCriteria {
  return {
    age: wantedAges(viewer, filters),
    miles: filters.distanceMiles ?? viewer.distance_miles,
    vibe: filters.vibe ?? null,
    interests: filters.interests ?? [],
  }
}

/**
 * An age that is asked for alone goes with the preferred other one. Where the two would cross, and fit nobody, the other end
 * is open: from 50 is 50 and more for a viewer who prefers 25 to 40 (spec 1 §5).
 */
function wantedAges(viewer: CandidateRow, { ageMin, ageMax }: DeckFilters): readonly [number, number] {
  const [min, max] = [ageMin ?? viewer.age_min, ageMax ?? viewer.age_max]
  if (min <= max) return [min, max]
  return ageMin === undefined ? [MIN_AGE, max] : [min, MAX_AGE]
}

/**
 * Whether the viewer may filter by this vibe: a private one only by those who hold it themselves, so that the deck
 * reveals no more than both entered (ruling R33); a restricted one only when eligible.
 */
export function mayFilterBy(vibe: Vibe, viewer: CandidateRow, eligible = false): boolean {
  if ((PRIVATE_VIBES as readonly string[]).includes(vibe)) return viewer.vibe === vibe
  return eligible || !(RESTRICTED_MODES as readonly string[]).includes(vibe)
}

/** The same wishes without one filter, or null when that one asks for nothing. */
export function without(filter: FilterName, wanted: SearchCriteria): SearchCriteria | null {
  switch (filter) {
    case 'age': {
      const open = wanted.age[0] <= MIN_AGE && wanted.age[1] >= MAX_AGE
      return open ? null : { ...wanted, age: [MIN_AGE, MAX_AGE] }
    }
    case 'distance':
      return wanted.miles >= MAX_DISTANCE_MILES ? null : { ...wanted, miles: MAX_DISTANCE_MILES }
    case 'vibe':
      return wanted.vibe && { ...wanted, vibe: null }
    case 'interests':
      return wanted.interests.length === 0 ? null : { ...wanted, interests: [] }
  }
}

/** Births from after `after` (exclusive) to `until`, as text that compares like dates; null is no bound. */
export type Births = { readonly after: string | null; readonly until: string }

/** Who is min to max years old today; 100 means 100 and more. */
export function birthsOf([min, max]: readonly [number, number], today: Date): Births {
  return { after: max >= MAX_AGE ? null : yearsBefore(today, max + 1), until: yearsBefore(today, min) }
}

/** The first band begins with the first age that there is. */
const YOUNGEST_END = 25

/**
 * Births of who does not show an age: found in bands of five years and no finer, by the age that the year brings, so that nobody
 * sees on which day somebody comes into the next band.
 */
export function hiddenBirthsOf([min, max]: readonly [number, number], today: Date): Births {
  const band = [
    min < YOUNGEST_END ? MIN_AGE : Math.floor(min / 5) * 5,
    Math.max(YOUNGEST_END, Math.ceil((max + 1) / 5) * 5) - 1,
  ] as const
  return birthsOf(band, new Date(Date.UTC(today.getUTCFullYear(), 11, 31)))
}

function yearsBefore(today: Date, years: number): string {
  return `${String(today.getUTCFullYear() - years).padStart(4, '0')}${today.toISOString().slice(4, 10)}`
}
