import type pg from 'pg'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { type Comparison, compareAccount, membersNamed, type RowsAsked } from './compare.ts'
import { BOUNDS, type Bounds, createEventReader, type EventSource } from './event-reader.ts'
import { type Opened, type ShownEvent, showEvent } from './masking.ts'
import {
  countEvents,
  countHistory,
  erasureDates,
  findMembersOf,
  type HistoryFilter,
  type HistoryPage,
  type KindCount,
  listHistory,
  listPart,
  listStreams,
  type StreamOf,
} from './queries.ts'
import { inOrder, pagesOf } from './rows-in-order.ts'
import { type Difference, differenceOf, hasState, type Moment, readStream, type StateAt, stateAt } from './state.ts'
import type { HistoryRow } from './table.ts'

export type HistoryDeps = EventSource & { readonly read: ReadDb; readonly pool: pg.Pool }
export type Account = {
  readonly member: MemberId
  readonly kinds: readonly KindCount[]
  readonly erasedAt: string | null
}

/**
 * What auditors ask of the log: whose a stream is, what happened to an account, what it was at any moment, and whether
 * what readers see matches the log. Nothing is recorded here; sealed fields stay sealed unless they are opened.
 */
export type HistoryReader = {
  /** null for a member of whom the log knows nothing. */
  account(member: MemberId): Promise<Account | null>
  whose(stream: string): Promise<MemberId[]>
  streams(member: MemberId): Promise<StreamOf[]>
  timeline(member: MemberId, page: HistoryPage, opened: Opened): Promise<{ events: ShownEvent[]; more: boolean }>
  /** The content of these rows' events, in their order. */
  named(rows: readonly HistoryRow[], opened: Opened): Promise<ShownEvent[]>
  /** null for a stream that no decider folds. */
  state(stream: string, moment: Moment, opened: Opened): Promise<StateAt | null>
  difference(stream: string, between: { from: Moment; to: Moment }, opened: Opened): Promise<Difference | null>
  /** Every read model's rows of a member compared with a replay; a page of one model's with what made them. */
  compare(member: MemberId, opened: Opened, rows?: RowsAsked): Promise<Comparison>
  /** All that there is of these members at this moment, each event once. */
  whole(members: readonly MemberId[], filter: HistoryFilter, opened: Opened): Promise<WholeHistory>
}

/** A history of any length, oldest first: how many events it has, and they themselves, read as the pages are taken. */
export type WholeHistory = {
  readonly events: number
  readonly pages: AsyncGenerator<readonly ShownEvent[]>
}

/** A history's lines of NDJSON, a page at a time: the same bytes for the same history and the same opened fields. */
export async function* linesOf({ pages }: Pick<WholeHistory, 'pages'>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((event) => `${JSON.stringify(event)}\n`).join('')
}

/** Work that takes memory: the next begins when the one before it has ended, however that was. */
function oneAtATime() {
  let before: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = before.then(work)
    before = mine.catch(() => undefined)
    return mine
  }
}

export function createHistoryReader(deps: HistoryDeps, bounds: Bounds = BOUNDS): HistoryReader {
  const { read, pool } = deps
  const reader = createEventReader(deps, bounds)
  const inTurn = oneAtATime()

  async function* showPages(pages: Parameters<typeof reader.ofRows<HistoryRow>>[0], opened: Opened) {
    for await (const page of reader.ofRows(pages)) {
      const members = [...new Set(page.flatMap(({ row }) => [row.member, ...membersNamed(row.stream)]))]
      const erasedAt = await erasureDates(read, members)
      yield page.map(({ row, event }) => showEvent(row, event, { opened, erasedAt }))
    }
  }

  async function show(rows: readonly HistoryRow[], opened: Opened): Promise<ShownEvent[]> {
    const shown: ShownEvent[] = []
    for await (const page of showPages([rows], opened)) shown.push(...page)
    return shown
  }

  const erasuresIn = (stream: string) => erasureDates(read, membersNamed(stream))

  return {
    async account(member) {
      const [kinds, erased] = await Promise.all([countHistory(read, member), erasureDates(read, [member])])
      return kinds.length === 0 ? null : { member, kinds, erasedAt: erased.get(member)?.toISOString() ?? null }
    },
    whose: (stream) => findMembersOf(read, stream),
    streams: (member) => listStreams(read, member),
    async timeline(member, page, opened) {
      const { rows, more } = await listHistory(read, member, page)
      return { events: await show(rows, opened), more }
    },
    named: (rows, opened) => show(rows, opened),
    async state(stream, moment, opened) {
      if (!hasState(stream)) return null
      const erasedAt = await erasuresIn(stream)
      return stateAt(stream, readStream(reader, stream, moment), { moment, opened, erasedAt })
    },
    async difference(stream, { from, to }, opened) {
      if (!hasState(stream)) return null
      const erasedAt = await erasuresIn(stream)
      return differenceOf(stream, readStream(reader, stream, from, to), { from, to, opened, erasedAt })
    },
    compare: (member, opened, rows) =>
      inTurn(() => compareAccount({ events: reader, read, pool, bounds }, { member, opened, rows })),
    async whole(members, filter, opened) {
      const limit = bounds.page
      const { events, last: upTo } = await countEvents(read, members, filter)
      const rowsOf = (member: MemberId) => pagesOf((after) => listPart(read, member, filter, { after, upTo, limit }))
      return { events, pages: showPages(inOrder(members.map(rowsOf), limit), opened) }
    },
  }
}
