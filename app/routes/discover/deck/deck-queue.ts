import type { DealtCard } from './dealt-card.ts'

export type Side = 'left' | 'right'
/** Cards of the server. */
export type Deal = {
  readonly cards: readonly DealtCard[]
  /** The position in the log that they show at least. */
  readonly pos: string
  /** There may be more. */
  readonly full: boolean
  /** Nobody was dealt, since the member has seen many: whoever is on the deck already may stay. */
  readonly cut: boolean
}
/** Where the log has a decision, and the command that would undo it: null for a match, which nothing undoes. */
export type Answer = { readonly pos: string; readonly undo: string | null }
/** A decision of this page. `answer` is null while the server's is on its way. */
export type Decided = {
  readonly card: DealtCard
  readonly side: Side
  /** Counts the decisions of the page. */
  readonly number: number
  /** The deck that it was made in: other filters begin another one. */
  readonly round: number
  readonly answer: Answer | null
}

/** The deck of one page: what is left of it, and what became of the rest. */
export type Queue = {
  readonly left: readonly DealtCard[]
  readonly decided: readonly Decided[]
  /** Who was brought back, with the position of that: an older deal does not know of it. */
  readonly back: Readonly<Record<string, string>>
  /** The latest deal: its position, its number of cards, and whether there may be more. */
  readonly deal: { readonly pos: string; readonly size: number; readonly full: boolean }
  readonly count: number
  readonly round: number
}

export type QueueAction =
  /** `other`: of other filters, or from another place; nothing of the deck before it stays. */
  | { readonly type: 'arrive'; readonly deal: Deal; readonly other: boolean }
  | { readonly type: 'decide'; readonly id: string; readonly side: Side }
  | { readonly type: 'answered'; readonly number: number; readonly answer: Answer }
  | { readonly type: 'refused'; readonly number: number }
  /** `commandId` is that of the next decision about the card. */
  | { readonly type: 'undone'; readonly id: string; readonly pos: string; readonly commandId: string }
  /** Nothing undoes that decision any more. */
  | { readonly type: 'settled'; readonly id: string }

/** A deck before its first deal. */
export const NO_QUEUE: Queue = {
  left: [],
  decided: [],
  back: {},
  deal: { pos: '', size: 0, full: false },
  count: 0,
  round: 0,
}

/** What an action makes of the deck; the same deck where it changes nothing, such as a second decision about one card. */
export function reduce(queue: Queue, action: QueueAction): Queue {
  switch (action.type) {
    case 'arrive':
      return arrive(queue, action.deal, action.other)
    case 'decide':
      return decide(queue, action.id, action.side)
    case 'answered':
      return answer(queue, ({ number }) => number === action.number, action.answer)
    case 'refused':
      return refuse(queue, action.number)
    case 'undone':
      return undo(queue, action)
    case 'settled': {
      const found = queue.decided.findLast(({ card }) => card.id === action.id)
      return found?.answer ? answer(queue, (one) => one === found, { ...found.answer, undo: null }) : queue
    }
  }
}

/** The cards that are left keep their order, and new ones come behind them; whoever was brought back since comes first. */
function arrive(queue: Queue, { cards, pos, full, cut }: Deal, other: boolean): Queue {
  const dealt = new Map(cards.map((card) => [card.id, card]))
  // Dealt again by who knows of the decision: it was undone elsewhere.
  const decided = queue.decided.filter(({ card, answer }) => !(dealt.has(card.id) && answer && answer.pos <= pos))
  const gone = new Set(decided.map(({ card }) => card.id))
  const backAt = ({ id }: DealtCard) => queue.back[id] ?? ''
  // Of a full deal others may be nearer: it takes nobody away who is looked at.
  const stays = (card: DealtCard) =>
    cut || backAt(card) > pos || (full && (card === queue.left[0] || backAt(card) !== ''))
  const kept = other && !cut ? [] : queue.left.filter((card) => dealt.has(card.id) || stays(card))
  const known = new Set(kept.map(({ id }) => id))
  const fresh = cards.filter(({ id }) => !known.has(id) && !gone.has(id))
  const isBack = (card: DealtCard) => backAt(card) > queue.deal.pos
  // The id of its command stays with a card: a decision that is sent already is the same one.
  const again = kept.map((card) => ({ ...card, ...dealt.get(card.id), commandId: card.commandId }))
  const left = [...fresh.filter(isBack), ...again, ...fresh.filter((card) => !isBack(card))]
  return { ...queue, left, decided, deal: { pos, size: cards.length, full }, round: queue.round + (other ? 1 : 0) }
}

function decide(queue: Queue, id: string, side: Side): Queue {
  const card = queue.left.find((one) => one.id === id)
  if (!card) return queue
  const { count, round } = queue
  const decided = [...queue.decided, { card, side, number: count + 1, round, answer: null }]
  return { ...queue, left: queue.left.filter((one) => one !== card), decided, count: count + 1 }
}

function answer(queue: Queue, isIt: (one: Decided) => boolean, answer: Answer): Queue {
  return { ...queue, decided: queue.decided.map((one) => (isIt(one) ? { ...one, answer } : one)) }
}

/** The card comes back, on top. */
function refuse(queue: Queue, number: number): Queue {
  const refused = queue.decided.find((one) => one.number === number)
  return refused ? putBack(queue, refused, refused.card) : queue
}

function undo(queue: Queue, { id, pos, commandId }: Extract<QueueAction, { type: 'undone' }>): Queue {
  const noted = { ...queue, back: { ...queue.back, [id]: pos } }
  const undone = queue.decided.findLast(({ card }) => card.id === id)
  if (undone) return putBack(noted, undone, { ...undone.card, commandId })
  const isIt = (card: DealtCard) => card.id === id
  // A deal that knew of it was faster than the answer.
  return { ...noted, left: [...queue.left.filter(isIt), ...queue.left.filter((card) => !isIt(card))] }
}

/** A card of a deck that is gone is dealt anew where it fits. */
function putBack(queue: Queue, from: Decided, card: DealtCard): Queue {
  const decided = queue.decided.filter((one) => one !== from)
  const others = queue.left.filter(({ id }) => id !== card.id)
  return { ...queue, decided, left: from.round === queue.round ? [card, ...others] : queue.left }
}
