import type { Logged, Look, Seen } from './record.ts'

/**
 * What two members are to each other after some events of their stream. Written without a line of the product's rules.
 */
export type PairState = {
  readonly buzzed: readonly string[]
  readonly matched: boolean
  readonly blockedBy: readonly string[]
  readonly skippedBy: readonly string[]
  /** Ids and authors of all messages so far; message n stands at n - 1. */
  readonly messages: readonly { id: string; from: string }[]
  readonly count: number
  readonly hidden: number
  readonly readUpTo: Readonly<Record<string, number>>
  /** What closed the room last. */
  readonly closedBy: string | null
}

const PAGE = 50
const without = (list: readonly string[], one: string | undefined) => list.filter((member) => member !== one)

export const strangers = (): PairState => ({
  buzzed: [],
  matched: false,
  blockedBy: [],
  skippedBy: [],
  messages: [],
  count: 0,
  hidden: 0,
  readUpTo: {},
  closedBy: null,
})

/** The state after one more event. The list of messages grows in place: `count` states how much of it a state knows. */
export function next(state: PairState, { type, by = '', message = '', number = 0 }: Logged): PairState {
  switch (type) {
    case 'Buzzed':
      return { ...state, buzzed: [...state.buzzed, by] }
    case 'BuzzWithdrawn':
      return { ...state, buzzed: without(state.buzzed, by) }
    case 'Matched':
      return { ...state, matched: true, hidden: state.count }
    case 'Unmatched':
      return { ...state, matched: false, buzzed: [], closedBy: type }
    case 'Blocked':
      return { ...state, matched: false, buzzed: [], blockedBy: [...state.blockedBy, by], closedBy: type }
    case 'Unblocked':
      return { ...state, blockedBy: without(state.blockedBy, by) }
    case 'Skipped':
      return { ...state, skippedBy: [...without(state.skippedBy, by), by] }
    case 'SkipUndone':
      return { ...state, skippedBy: without(state.skippedBy, by) }
    case 'MessageSent':
      ;(state.messages as { id: string; from: string }[]).push({ id: message, from: by })
      return { ...state, count: state.count + 1 }
    case 'MessagesRead':
      return { ...state, readUpTo: { ...state.readUpTo, [by]: number } }
    default:
      return state
  }
}

/** What `member` must see of the other in one of their lists, as text that can be compared. */
export function viewOf(state: PairState, what: Look['what'], member: string): string {
  switch (what) {
    case 'matches':
      return String(state.matched)
    case 'liked':
      return String(!state.matched && state.buzzed.includes(member))
    case 'blocks':
      return String(state.blockedBy.includes(member))
    case 'unread':
      return String(unreadOf(state, member))
    case 'messages':
      return state.matched ? newest(state).join(' ') : 'closed'
  }
}

/** The same of what a look showed; `other` is the one asked about. */
export function shownOf({ what }: Pick<Look, 'what'>, seen: Seen, other: string): string {
  if (what === 'messages') return seen === null ? 'closed' : (seen as readonly string[]).join(' ')
  if (what === 'unread') return String((seen as Readonly<Record<string, number>>)[other] ?? 0)
  return String((seen as readonly string[]).includes(other))
}

export function unreadOf({ matched, messages, count, hidden, readUpTo }: PairState, member: string): number {
  if (!matched) return 0
  const from = Math.max(readUpTo[member] ?? 0, hidden)
  return messages.slice(from, count).filter((message) => message.from !== member).length
}

function newest({ messages, count, hidden }: PairState): string[] {
  return messages
    .slice(Math.max(hidden, count - PAGE), count)
    .map(({ id }) => id)
    .reverse()
}
