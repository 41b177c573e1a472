import type { DeckFilters } from '../../projections/discover/filters.ts'
import { type Deck, findSeeker, getDeck, type Seeker } from '../../projections/discover/queries.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

type Filters = Omit<DeckFilters, 'eligible'>

/** The deck of the moment of the member who acts. */
export async function dealDeck(acting: Acting, filters: Filters): Promise<Outcome<Deck, 'slow-down'>> {
  return dealTo(acting, await findSeeker(acting.read, acting.who.member, acting.now()), filters)
}

/**
 * The same for who has read the seeker already. Each card is a profile seen, so an hour shows as many people as anyone may
 * look at, cards and profiles together (api-contract §6.2, VIEW; security S6); a deck that would pass that is shortened.
 */
export async function dealTo(
  { read, limits, now, who }: Acting,
  seeker: Seeker | null,
  filters: Filters,
): Promise<Outcome<Deck, 'slow-down'>> {
  const deck = await getDeck(read, seeker, { ...filters, eligible: who.entitlements.restricted }, now())
  const asked = deck.users.map(({ id }) => id)
  const { allowed, retryInMs } = await limits.takeEach('VIEW', who.member, asked)
  if (retryInMs === undefined) return done(deck)
  if (allowed.size === 0) return refused('slow-down', { retryInMs })
  return done({ ...deck, users: deck.users.filter(({ id }) => allowed.has(id)) })
}
