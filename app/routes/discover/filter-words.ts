import { MAX_DISTANCE_MILES } from '../../../domain/profile/limits.ts'

/** What the deck is filtered by, as the page shows it. */
export type ShownFilters = { ageMin: number; ageMax: number; distanceMiles: number; vibe: string | null }

/** The words of a distance filter: 0 is the nearest step, 1000 no limit (ruling R8). */
export function distanceWords(miles: number): string {
  if (miles === 0) return 'Right around here'
  return miles >= MAX_DISTANCE_MILES ? '1000+ miles' : `${miles} ${miles === 1 ? 'mile' : 'miles'}`
}
