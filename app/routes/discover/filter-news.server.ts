import { PRIVATE_VIBES, type Vibe } from '../../../domain/profile/choices.ts'
import type { DeckFilters } from '../../../projections/discover/filters.ts'
import { areTurned, NO_FILTERS, searchOf } from './deck-filters.ts'
import type { ShownFilters } from './filter-words.ts'
import { vibeLabel } from './vibe-choices.ts'

/** `to`: the address of the filters as they are. */
export type FilterNews = { readonly text: string; readonly to: string }

type Asked = {
  readonly search: URLSearchParams
  readonly closedVibe: Vibe | null
  readonly filters: DeckFilters
  readonly shown: ShownFilters
}

/** What became of filters that the address has and the deck has not; null where the deck has them all. */
export function filterNews({ search, closedVibe, filters, shown }: Asked): FilterNews | null {
  const sentences: string[] = []
  if (areTurned(search)) {
    sentences.push(`The ages were swapped: these are people from ${shown.ageMin} to ${shown.ageMax}.`)
  }
  if (closedVibe) sentences.push(`${reason(closedVibe)}, so people of any vibe are shown.`)
  if (sentences.length === 0) return null
  const left = searchOf(filters)
  return { text: sentences.join(' '), to: left ? `/discover?${left}` : NO_FILTERS }
}

function reason(vibe: Vibe): string {
  const isPrivate = PRIVATE_VIBES.some((one) => one === vibe)
  if (!isPrivate) return 'That vibe is not open to you as a filter'
  return `Only members whose own vibe is ${vibeLabel(vibe)} can filter by it`
}
