import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { RecordedEvent } from '../../domain/all-events.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { allProjections } from '../all-projections.ts'
import { livePositions } from '../engine/checkpoints.ts'
import type { ReadDb } from '../projection.ts'
import { type EventSource, eventsOf, readableIn } from './events-of.ts'
import { type Opened, type ShownEvent, showEvent } from './masking.ts'
import { histories } from './project.ts'
import {
  countHistory,
  erasureDates,
  findMembersOf,
  type HistoryFilter,
  type HistoryPage,
  type KindCount,
  listAccountEvents,
  listHistory,
  listStreams,
  listWholeHistory,
  type StreamOf,
} from './queries.ts'
import { type ComparedModel, compareModel } from './replay.ts'
import { type Difference, differenceOf, hasState, type Moment, readStream, type StateAt, stateAt } from './state.ts'
import type { HistoryRow } from './table.ts'

export type HistoryDeps = EventSource & { readonly read: ReadDb; readonly pool: pg.Pool }
export type Account = {
  readonly member: MemberId
  readonly kinds: readonly KindCount[]
  readonly erasedAt: string | null
}

/**
 * What auditors ask of the log: whose a stream is, what happened to an account, what it was at any moment, and whether what
 * readers see is what the log says. Nothing is recorded here; sealed fields stay sealed unless they are opened.
 */
export type HistoryReader = {
  /** null for a member of whom the log knows nothing. */
  account(member: MemberId): Promise<Account | null>
  whose(stream: string): Promise<MemberId[]>
  streams(member: MemberId): Promise<StreamOf[]>
  timeline(member: MemberId, page: HistoryPage, opened: Opened): Promise<{ events: ShownEvent[]; more: boolean }>
  /** What the events of these rows say, in their order. */
  named(rows: readonly HistoryRow[], opened: Opened): Promise<ShownEvent[]>
  /** null for a stream that no decider folds. */
  state(stream: string, moment: Moment, opened: Opened): Promise<StateAt | null>
  difference(stream: string, between: { from: Moment; to: Moment }, opened: Opened): Promise<Difference | null>
  /** Every read model's rows of a member, or those of one, held against a replay. */
  compare(member: MemberId, opened: Opened, model?: string): Promise<ComparedModel[]>
  /** All that is asked for at once, oldest first. */
  whole(member: MemberId, filter: HistoryFilter, opened: Opened): Promise<ShownEvent[]>
  /** Lines of NDJSON, the same bytes for the same history and the same opened fields. */
  lines(member: MemberId, filter: HistoryFilter, opened: Opened): Promise<string[]>
}

export function createHistoryReader(deps: HistoryDeps): HistoryReader {
  const { read, pool } = deps

  async function show(rows: readonly HistoryRow[], opened: Opened): Promise<ShownEvent[]> {
    const events = await eventsOf(deps, rows)
    const members = [...new Set(rows.flatMap(({ member, stream }) => [member, ...membersNamed(stream)]))]
    const erasedAt = await erasureDates(read, members)
    return rows.map((row) => showEvent(row, events.get(row.id), { opened, erasedAt }))
  }

  const whole = async (member: MemberId, filter: HistoryFilter, opened: Opened) =>
    show(await listWholeHistory(read, member, filter), opened)

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
      return hasState(stream) ? stateAt(stream, await readStream(deps, stream, moment), { moment, opened }) : null
    },
    async difference(stream, { from, to }, opened) {
      if (!hasState(stream)) return null
      return differenceOf(stream, await readStream(deps, stream, from, to), { from, to, opened })
    },
    async compare(member, opened, model) {
      const eventsUpTo = eventsReaching(deps, member)
      const models = allProjections.filter(({ name }) => name !== histories.name && (!model || name === model))
      const compared: ComparedModel[] = []
      for (const projection of models)
        compared.push(await compareModel({ pool, member, opened, eventsUpTo }, projection))
      return compared
    },
    whole,
    lines: async (member, filter, opened) =>
      (await whole(member, filter, opened)).map((event) => JSON.stringify(event)),
  }
}

const KINDS = ['member', 'email', 'profile', 'gallery', 'pair', 'inbox', 'report', 'audit']
const LISTED_WITHIN_MS = 2_000

/** The members in a stream's name. */
function membersNamed(stream: string): MemberId[] {
  const ids = stream.slice(stream.indexOf('-') + 1).split('_')
  return ids.filter((id): id is MemberId => MemberId.safeParse(id).success)
}

/**
 * A member's events up to a position, and what became of those whom the member met: it reaches the member's rows too. Read
 * once, for all that asks; a position that the history has not reached is waited for.
 */
function eventsReaching(deps: HistoryDeps, member: MemberId): (position: Position) => Promise<RecordedEvent[]> {
  let known: { upTo: Position; events: RecordedEvent[] } | undefined
  return async (position) => {
    if (!known || known.upTo < position) known = await loadEvents(deps, member, position)
    return known.events.filter((event) => event.position <= position)
  }
}

async function loadEvents(deps: HistoryDeps, member: MemberId, position: Position) {
  const { read, pool } = deps
  const upTo = await listedUpTo(pool, position)
  const own = await listWholeHistory(read, member, { kinds: KINDS, upTo })
  const met = new Set(own.flatMap(({ stream }) => membersNamed(stream)))
  met.delete(member)
  const theirs = await listAccountEvents(read, [...met], upTo)
  const rows = new Map([...own, ...theirs].map((row) => [row.id, row]))
  const ordered = [...rows.values()].sort((a, b) => (a.position < b.position ? -1 : 1))
  return { upTo, events: readableIn(ordered, await eventsOf(deps, ordered)) }
}

async function listedUpTo(pool: pg.Pool, position: Position): Promise<Position> {
  for (const last = Date.now() + LISTED_WITHIN_MS; ; ) {
    const listed = (await livePositions(pool)).get(histories.name)
    if (listed && (listed >= position || Date.now() > last)) return listed
    if (Date.now() > last) return position
    await wait(20)
  }
}
