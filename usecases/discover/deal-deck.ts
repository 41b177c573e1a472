import type { DeckFilters } from '../../projections/discover/filters.ts'
import { type Deck, getDeck } from '../../projections/discover/queries.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/**
 * The deck of the moment. Each card is a profile seen, so an hour shows as many people as anyone may look at, cards and
 * profiles together (api-contract §6.2, VIEW; security S6); a deck that would pass that is shortened.
 */
export async function dealDeck(
  { read, limits, now, who }: Acting,
  filters: Omit<DeckFilters, 'eligible'>,
): Promise<Outcome<Deck, 'slow-down'>> {
  const deck = await getDeck(read, who.member, { ...filters, eligible: who.entitlements.restricted }, now())
  const asked = deck.users.map(({ id }) => id)
  const { allowed, retryInMs } = await limits.takeEach('VIEW', who.member, asked)
  if (retryInMs === undefined) return done(deck)
  if (allowed.size === 0) return refused('slow-down', { retryInMs })
  return done({ ...deck, users: deck.users.filter(({ id }) => allowed.has(id)) })
}
