import { VIBES } from '../../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { OFFERED_MILES, offeredAges } from '../../../domain/profile/offered.ts'
import type { DeckFilters } from '../../../projections/discover/filters.ts'

/** The address that asks for everybody whom the preferences allow, whatever was asked for before. */
export const NO_FILTERS = '/discover?filters=none'
const NAMES = ['ageMin', 'ageMax', 'distanceMiles', 'vibe', 'filters'] as const

/** Whether an address names its filters, or leaves that to what was asked for last. */
export const namesFilters = (search: URLSearchParams): boolean => NAMES.some((name) => search.has(name))

/**
 * The filters of an address. What does not fit is left out, so that an old link still shows people; ages the wrong way
 * round are turned round.
 */
export function deckFilters(search: URLSearchParams): DeckFilters {
  const { ageMin, ageMax } = agesOf(search)
  const distanceMiles = whole(search.get('distanceMiles'), 0, MAX_DISTANCE_MILES)
  const vibe = VIBES.find((one) => one === search.get('vibe'))
  const ages = areTurned(search) ? { ageMin: ageMax, ageMax: ageMin } : { ageMin, ageMax }
  return present({ ...ages, distanceMiles, vibe })
}

/** Whether the ages of an address are the wrong way round. */
export function areTurned(search: URLSearchParams): boolean {
  const { ageMin, ageMax } = agesOf(search)
  return ageMin !== undefined && ageMax !== undefined && ageMin > ageMax
}

/** The search of an address that asks for these filters. */
export function searchOf({ ageMin, ageMax, distanceMiles, vibe }: DeckFilters): string {
  const asked = Object.entries(present({ ageMin, ageMax, distanceMiles, vibe }))
  return new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString()
}

type Preferences = { readonly age_min: number; readonly age_max: number; readonly distance_miles: number }

/** Whether these filters ask for other people than the member's preferences do. */
export function isFiltered({ ageMin, ageMax, distanceMiles, vibe }: DeckFilters, mine: Preferences): boolean {
  const differs = (asked: number | undefined, usual: number) => asked !== undefined && asked !== usual
  const ages = differs(ageMin, mine.age_min) || differs(ageMax, mine.age_max)
  return ages || differs(distanceMiles, mine.distance_miles) || vibe !== undefined
}

/** What is offered to a member of that age whose preferences leave everything open. */
export function offeredTo(age: number, mine: Preferences): string | null {
  const open = mine.age_min <= MIN_AGE && mine.age_max >= MAX_AGE && mine.distance_miles >= MAX_DISTANCE_MILES
  const [ageMin, ageMax] = offeredAges(age)
  return open ? searchOf({ ageMin, ageMax, distanceMiles: OFFERED_MILES }) : null
}

const agesOf = (search: URLSearchParams) => ({
  ageMin: whole(search.get('ageMin'), MIN_AGE, MAX_AGE),
  ageMax: whole(search.get('ageMax'), MIN_AGE, MAX_AGE),
})

function whole(text: string | null, min: number, max: number): number | undefined {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

function present(filters: Record<string, unknown>): DeckFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}
