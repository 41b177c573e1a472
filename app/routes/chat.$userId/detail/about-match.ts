import type { MatchCard } from '../../../../projections/profiles/queries.ts'
import type { AboutPerson } from '../../../ui/panes/about.tsx'
import { markShared } from '../../../ui/panes/shared-interests.ts'

/** What the pane beside the room shows of a match. */
export type AboutMatch = AboutPerson & { readonly age?: number }

/** `mine`: the reader's own interests, which are marked. */
export function aboutMatch(match: MatchCard, mine: readonly string[]): AboutMatch {
  const { age, city, vibe, bio, verified, interests = [] } = match
  return { ...(age !== undefined && { age }), where: city, vibe, bio, verified, interests: markShared(interests, mine) }
}
