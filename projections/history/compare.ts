import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { EventType, RecordedEvent } from '../../domain/all-events.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { allProjections } from '../all-projections.ts'
import { findLive } from '../engine/checkpoints.ts'
import type { ReadDb } from '../projection.ts'
import type { EventReader } from './event-reader.ts'
import type { AuditValue, Opened } from './masking.ts'
import { ownRows, readOwnRows } from './own-rows.ts'
import { equal, plain } from './plain.ts'
import { histories, rowOf } from './project.ts'
import { listAccountEvents, listEventsOf } from './queries.ts'
import {
  type ComparedModel,
  compareRows,
  eventsTouching,
  foldClosed,
  modelOf,
  type Replay,
  type RowPair,
  type RowVerdict,
  sameValue,
} from './replay.ts'
import type { HistoryRow } from './table.ts'

/** One row of a read model about a member, compared with what the member's events make of it. */
export type ComparedRow = {
  readonly id: string
  readonly table: string
  readonly verdict: RowVerdict
  readonly columns: readonly { readonly name: string; readonly shown: AuditValue; readonly differs: boolean }[]
  /** The events that made it what it is, oldest first. */
  readonly madeBy: readonly HistoryRow[]
}
/** Which rows are shown: of one model, wrong ones first; or the one with this id. */
export type RowsAsked = { readonly model: string; readonly row?: string; readonly skip: number; readonly limit: number }
/** `rows` is null when none were asked for or the model is not there; `more`: others follow. */
export type Comparison = {
  readonly models: readonly ComparedModel[]
  readonly rows: readonly ComparedRow[] | null
  readonly more: boolean
}
export type CompareDeps = { readonly events: EventReader; readonly read: ReadDb; readonly pool: pg.Pool }
type Asking = { readonly member: MemberId; readonly opened: Opened; readonly rows?: RowsAsked | undefined }

const compared = allProjections.filter(({ name }) => name !== histories.name)
const typesCompared = [...new Set(compared.flatMap(({ when }) => Object.keys(when)))] as EventType[]
const LISTED_WITHIN_MS = 2_000

/** Every read model's rows of a member compared with a replay: all models at one moment, each at its own position. */
export async function compareAccount(deps: CompareDeps, asking: Asking): Promise<Comparison> {
  const { member, rows: asked } = asking
  const seen = await readOwnRows(deps.pool, compared, member)
  const positions = [...seen.values()].flatMap((model) => model?.position ?? []).sort()
  const last = positions[positions.length - 1]
  const events = last ? await loadEvents(deps, member, last) : []
  const models: ComparedModel[] = []
  let shown: Pick<Comparison, 'rows' | 'more'> = { rows: null, more: false }
  for (const projection of compared) {
    const model = seen.get(projection)
    if (!model) {
      models.push({ name: projection.name, position: null, verdict: 'filling', count: 0, wrong: 0 })
      continue
    }
    const replay = { member, projection, seen: model, events }
    const pairs = compareRows(replay)
    models.push(modelOf(replay, pairs))
    if (projection.name === asked?.model) shown = showRows(replay, pairs, asking as Required<Asking>)
    // A fold of a long history is work at one stretch; others get their turn behind each.
    await nextTurn()
  }
  return { models, ...shown }
}

function showRows(replay: Replay, pairs: readonly RowPair[], { opened, rows }: Required<Asking>) {
  const { row, skip, limit } = rows as RowsAsked
  const page = row === undefined ? pairs.slice(skip, skip + limit) : pairs.filter(({ id }) => id === row)
  const touching = eventsTouching(replay, page)
  const closed = foldClosed(replay, opened)
  const isOpen = opened.has(replay.member)
  const shown = page.map((pair): ComparedRow => {
    const hidden = ownRows(pair.table, closed.get(pair.table)!, replay.member).get(pair.key)
    const madeBy = (touching.get(pair.id) ?? []).map((event) => rowOf(event, replay.member))
    const { id, verdict } = pair
    return { id, table: pair.table.name, verdict, columns: columnsOf(pair, hidden, isOpen), madeBy }
  })
  return { rows: shown, more: row === undefined && pairs.length > skip + limit }
}

function columnsOf(
  { table, is, ought }: RowPair,
  hidden: Readonly<Record<string, unknown>> | undefined,
  open: boolean,
) {
  return Object.keys(table.columns).map((name) => {
    const value = plain((is ?? ought)?.[name])
    const differs = is !== undefined && ought !== undefined && !sameValue(is[name], ought[name])
    // What a replay without the sealed fields makes too is no secret.
    const clear = hidden !== undefined && equal(value, plain(hidden[name]))
    const shown: AuditValue = clear || (differs && open) ? { value } : { hidden: 'sealed' }
    return { name, differs, shown }
  })
}

/**
 * A member's events up to a position, and what became of those whom the member met: it reaches the member's rows too.
 */
async function loadEvents(
  { events, read, pool }: CompareDeps,
  member: MemberId,
  position: Position,
): Promise<RecordedEvent[]> {
  await historyReached(pool, position)
  const asked = { types: typesCompared, upTo: position }
  const own = await listEventsOf(read, member, asked)
  const met = new Set(own.flatMap(({ stream }) => membersNamed(stream)))
  met.delete(member)
  const theirs = await listAccountEvents(read, [...met], asked)
  const rows = new Map([...own, ...theirs].map((row) => [row.id, row]))
  const ordered = [...rows.values()].sort((a, b) => (a.position < b.position ? -1 : 1))
  const readable: RecordedEvent[] = []
  for await (const page of events.ofRows([ordered]))
    for (const { event } of page) if (event && !(event instanceof Error)) readable.push(event)
  return readable
}

/** The members in a stream's name. */
export function membersNamed(stream: string): MemberId[] {
  const ids = stream.slice(stream.indexOf('-') + 1).split('_')
  return ids.filter((id): id is MemberId => MemberId.safeParse(id).success)
}

/** Waits for the list of whose events are whose; after a while what it holds will have to do. */
async function historyReached(pool: pg.Pool, position: Position): Promise<void> {
  for (const last = Date.now() + LISTED_WITHIN_MS; ; await wait(20)) {
    const listed = await findLive(pool, histories.name)
    if ((listed && listed.position >= position) || Date.now() > last) return
  }
}
