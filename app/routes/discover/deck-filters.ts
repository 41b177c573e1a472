import { VIBES } from '../../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import type { DeckFilters } from '../../../projections/discover/filters.ts'

/** The filters of an address; what does not fit is left out, so that an old link still shows people. */
export function deckFilters(search: URLSearchParams): DeckFilters {
  const ageMin = whole(search.get('ageMin'), MIN_AGE, MAX_AGE)
  const ageMax = whole(search.get('ageMax'), MIN_AGE, MAX_AGE)
  const distanceMiles = whole(search.get('distanceMiles'), 0, MAX_DISTANCE_MILES)
  const vibe = VIBES.find((one) => one === search.get('vibe'))
  const ages = ageMin !== undefined && ageMax !== undefined && ageMin > ageMax ? {} : { ageMin, ageMax }
  return present({ ...ages, distanceMiles, vibe })
}

type Preferences = { readonly age_min: number; readonly age_max: number; readonly distance_miles: number }

/** Whether these filters ask for other people than the member's preferences do. */
export function isFiltered({ ageMin, ageMax, distanceMiles, vibe }: DeckFilters, mine: Preferences): boolean {
  const differs = (asked: number | undefined, usual: number) => asked !== undefined && asked !== usual
  const ages = differs(ageMin, mine.age_min) || differs(ageMax, mine.age_max)
  return ages || differs(distanceMiles, mine.distance_miles) || vibe !== undefined
}

function whole(text: string | null, min: number, max: number): number | undefined {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

function present(filters: Record<string, unknown>): DeckFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}
