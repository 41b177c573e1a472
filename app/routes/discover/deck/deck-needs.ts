import type { LastSkip } from './dealt-card.ts'
import type { Queue } from './deck-queue.ts'

/** So few cards that the next ones are read. */
const AHEAD = 5

/** What the button of undo would do; `to` whom. */
export type Undoable = NonNullable<LastSkip> & { readonly intent: 'undo' | 'withdraw' }

const isAwaiting = ({ decided }: Queue) => decided.some(({ answer }) => answer === null)

/** Where the log has the latest decision that was answered. */
export const newestOf = ({ decided }: Queue): string =>
  decided.reduce((pos, { answer }) => (answer && answer.pos > pos ? answer.pos : pos), '')

/**
 * Whether more cards are to be read: of a deck that ran low since it was dealt, and of an empty one once all of its decisions
 * are answered, unless the deal itself was empty.
 */
export function needsDeal(queue: Queue): boolean {
  const { left, deal } = queue
  if (left.length === 0) return deal.size > 0 && !isAwaiting(queue)
  return left.length <= AHEAD && deal.full && newestOf(queue) > deal.pos
}

/** Whether somebody was brought back whom the deck does not show since its deal is older than that. */
export function missesOne({ left, decided, back, deal }: Queue): boolean {
  const here = new Set<string>([...left, ...decided.map(({ card }) => card)].map(({ id }) => id))
  return Object.entries(back).some(([id, pos]) => pos > deal.pos && !here.has(id))
}

/** Nobody is left, and nothing is on its way that could change it. */
export const isOver = (queue: Queue): boolean => queue.left.length === 0 && queue.deal.size === 0 && !isAwaiting(queue)

/**
 * What one tap brings back: the page's last decision, else the last skip that the server knows of; null while the decision is
 * on its way, and where there is none.
 */
export function undoableIn(queue: Queue, lastSkip: LastSkip): Undoable | null {
  const last = queue.decided.findLast(({ answer }) => answer === null || answer.undo !== null)
  if (last) {
    const { card, side, answer } = last
    if (!answer?.undo) return null
    const { id: to, firstName } = card
    return { to, firstName, commandId: answer.undo, intent: side === 'left' ? 'undo' : 'withdraw' }
  }
  const isBack = lastSkip !== null && (queue.back[lastSkip.to] ?? '') > queue.deal.pos
  return lastSkip && !isBack ? { ...lastSkip, intent: 'undo' } : null
}
