import type { DealtCard } from '../../../app/routes/discover/deck/dealt-card.ts'
import {
  type Deal,
  NO_QUEUE,
  type Queue,
  type QueueAction,
  reduce,
} from '../../../app/routes/discover/deck/deck-queue.ts'

/** A card of this person, whose decision would be the command `<id>-1`. */
export const cardOf = (id: string, commandId = `${id}-1`) =>
  ({ id, firstName: id, photos: [], interests: [], verified: false, commandId }) as unknown as DealtCard

/** A deal of these people at that position. */
export function dealOf(ids: string, pos: string, more: Partial<Deal> = {}): Deal {
  const cards = ids.split(' ').filter(Boolean)
  return { cards: cards.map((id) => cardOf(id)), pos, full: cards.length >= 10, cut: false, ...more }
}

export const arrive = (ids: string, pos: string, more: Partial<Deal> = {}, other = false): QueueAction => ({
  type: 'arrive',
  deal: dealOf(ids, pos, more),
  other,
})
export const skip = (id: string): QueueAction => ({ type: 'decide', id, side: 'left' })
export const buzz = (id: string): QueueAction => ({ type: 'decide', id, side: 'right' })
export const answered = (number: number, pos: string, undo: string | null = `undo-${number}`): QueueAction => ({
  type: 'answered',
  number,
  answer: { pos, undo },
})
export const refused = (number: number): QueueAction => ({ type: 'refused', number })
export const undone = (id: string, pos: string): QueueAction => ({ type: 'undone', id, pos, commandId: `${id}-2` })

/** What these actions make of a deck of nobody. */
export const after = (...actions: readonly QueueAction[]): Queue => actions.reduce(reduce, NO_QUEUE)
/** Who is left, in order. */
export const leftIn = ({ left }: Queue): string => left.map(({ id }) => id).join(' ')
