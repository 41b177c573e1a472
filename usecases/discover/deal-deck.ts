import type { MemberId } from '../../domain/shared/ids.ts'
import type { DeckFilters } from '../../projections/discover/filters.ts'
import { type Deck, getDeck } from '../../projections/discover/queries.ts'
import type { Acting, Refusal } from '../act.ts'

export type Dealt = { ok: true; deck: Deck } | Refusal<'slow-down'>

/**
 * The deck of the moment. Each card is a profile seen, so an hour shows as many people as anyone may look at, cards and
 * profiles together (api-contract §6.2, VIEW; security S6); a deck that would pass that is cut short.
 */
export async function dealDeck(context: Acting, me: MemberId, filters: DeckFilters): Promise<Dealt> {
  const deck = await getDeck(context.read, me, filters, context.now())
  const asked = deck.users.map(({ id }) => id)
  const { allowed, retryInMs } = await context.limits.takeEach('VIEW', me, asked)
  if (retryInMs === undefined) return { ok: true, deck }
  if (allowed.size === 0) return { ok: false, reason: 'slow-down', retryInMs }
  return { ok: true, deck: { ...deck, users: deck.users.filter(({ id }) => allowed.has(id)) } }
}
