import type { Vibe } from '../../../domain/profile/choices.ts'
import { type DeckFilters, mayFilterBy } from '../../../projections/discover/filters.ts'
import type { CandidateRow } from '../../../projections/discover/table.ts'
import { deckFilters } from './deck-filters.ts'

type UsableFilters = { readonly filters: DeckFilters; readonly closedVibe: Vibe | null }

/**
 * The filters of an address, and the vibe that was left out of them because the member may not filter by it (ruling R33):
 * an old link, or what was kept before the own vibe changed, still shows people.
 */
export function usableFilters(search: URLSearchParams, mine: CandidateRow, eligible: boolean): UsableFilters {
  const asked = deckFilters(search)
  const { vibe, ...others } = asked
  if (!vibe || mayFilterBy(vibe, mine, eligible)) return { filters: asked, closedVibe: null }
  return { filters: others, closedVibe: vibe }
}
