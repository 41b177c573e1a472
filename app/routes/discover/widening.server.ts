import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import type { CostliestFilter } from '../../../projections/discover/queries.ts'
import { distanceWords, type ShownFilters } from './filter-words.ts'

/** What an empty deck offers: the filter that costs most, opened with one tap (ruling R34). */
export type Widening = { readonly why: string; readonly label: string; readonly to: string }

/** The other filters of the address stay as they are. */
export function wideningOf(
  { filter, wouldShow }: CostliestFilter,
  shown: ShownFilters,
  search: URLSearchParams,
): Widening {
  const widened = new URLSearchParams(Object.fromEntries([...search, ...open(filter)]))
  return { why: reason(filter, shown), label: `Open ${NAMES[filter]}: ${wouldShow} more`, to: `/discover?${widened}` }
}

const NAMES: Record<CostliestFilter['filter'], string> = {
  age: 'the ages',
  distance: 'the distance',
  vibe: 'the vibe',
  interests: 'the interests',
}

function reason(filter: CostliestFilter['filter'], filters: ShownFilters): string {
  switch (filter) {
    case 'age':
      return `Ages ${filters.ageMin} to ${filters.ageMax} leave out most people around you.`
    case 'distance':
      return `${distanceWords(filters.distanceMiles)} leaves out most people who would fit.`
    case 'vibe':
      return 'The vibe you filter by leaves out most people around you.'
    case 'interests':
      return 'The interests you filter by leave out most people around you.'
  }
}

function open(filter: CostliestFilter['filter']): [string, string][] {
  switch (filter) {
    case 'age':
      return [
        ['ageMin', String(MIN_AGE)],
        ['ageMax', String(MAX_AGE)],
      ]
    case 'distance':
      return [['distanceMiles', String(MAX_DISTANCE_MILES)]]
    default:
      return [[filter, '']]
  }
}
