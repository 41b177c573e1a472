import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { EventType } from '../../domain/all-events.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { allProjections } from '../all-projections.ts'
import { findLive } from '../engine/checkpoints.ts'
import type { Projection, ReadDb } from '../projection.ts'
import type { Bounds, EventReader } from './event-reader.ts'
import { type AuditValue, type Opened, withoutSealed } from './masking.ts'
import { readOwnRows } from './own-rows.ts'
import { equal, plain } from './plain.ts'
import { histories } from './project.ts'
import { listAccountEvents, listEventsOf, listStreamNames } from './queries.ts'
import {
  type ComparedModel,
  compareRows,
  modelOf,
  Refold,
  type Replay,
  type RowPair,
  type RowVerdict,
  reaches,
  sameValue,
  Touching,
  type Weighed,
} from './replay.ts'
import { inOrder, pagesOf, type RowPages } from './rows-in-order.ts'
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
export type CompareDeps = {
  readonly events: EventReader
  readonly read: ReadDb
  readonly pool: pg.Pool
  readonly bounds: Bounds
}
type Asking = { readonly member: MemberId; readonly opened: Opened; readonly rows?: RowsAsked | undefined }

const compared = allProjections.filter(({ name }) => name !== histories.name)
const typesCompared = [...new Set(compared.flatMap(({ when }) => Object.keys(when)))] as EventType[]
const LISTED_WITHIN_MS = 2_000

/**
 * Every read model's rows of a member compared with a replay: all models at one moment, each at its own position. Events come page
 * by page; a model whose rows weigh too much is left out, and the others are compared.
 */
export async function compareAccount(deps: CompareDeps, asking: Asking): Promise<Comparison> {
  const { member, rows: asked } = asking
  const most = deps.bounds.rows
  const seen = await readOwnRows(deps.pool, compared, { member, most })
  const refolds = new Map<Projection, Refold>()
  for (const projection of compared) {
    const model = seen.get(projection)
    if (model?.rows)
      refolds.set(projection, new Refold({ member, projection, seen: { ...model, rows: model.rows } }, most))
  }
  await refoldAll(deps, [...refolds.values()])
  const models: ComparedModel[] = []
  let shown: Pick<Comparison, 'rows' | 'more'> = { rows: null, more: false }
  for (const projection of compared) {
    const refold = refolds.get(projection)
    refolds.delete(projection)
    if (!refold || refold.isTooLarge) {
      const position = seen.get(projection)?.position ?? null
      const verdict = position === null ? 'filling' : 'too-large'
      models.push({ name: projection.name, position, verdict, count: 0, wrong: 0 })
      continue
    }
    const pairs = await compareRows(refold)
    models.push(modelOf(refold.replay, pairs))
    if (projection.name === asked?.model) shown = await showRows(deps, refold.replay, pairs, asking as Required<Asking>)
  }
  return { models, ...shown }
}

/** All in one pass over what still reaches one of them. */
async function refoldAll(deps: CompareDeps, refolds: readonly Refold[]): Promise<void> {
  const reached = (row: HistoryRow) =>
    refolds.some(({ isTooLarge, replay }) => !isTooLarge && reaches(replay, asEvent(row)))
  for await (const page of eventsReaching(
    deps,
    refolds.map(({ replay }) => replay),
    reached,
  ))
    for (const refold of refolds) refold.add(page)
}

async function showRows(
  deps: CompareDeps,
  replay: Replay,
  pairs: readonly RowPair[],
  { opened, rows }: Required<Asking>,
) {
  const { row, skip, limit } = rows as RowsAsked
  const page = row === undefined ? pairs.slice(skip, skip + limit) : pairs.filter(({ id }) => id === row)
  const touching = new Touching(replay, page)
  const closed = new Refold(replay, Number.POSITIVE_INFINITY)
  for await (const events of eventsReaching(deps, [replay], (row) => reaches(replay, asEvent(row)))) {
    touching.add(events)
    closed.add(events.map(({ event, weight }) => ({ event: withoutSealed(event, opened), weight })))
  }
  const hidden = new Map([...new Set(page.map(({ table }) => table))].map((table) => [table, closed.rowsOf(table)]))
  const isOpen = opened.has(replay.member)
  const shown = page.map((pair): ComparedRow => {
    const { id, verdict, table } = pair
    const columns = columnsOf(pair, hidden.get(table)?.get(pair.key), isOpen)
    return { id, table: table.name, verdict, columns, madeBy: touching.found.get(id) ?? [] }
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

const asEvent = ({ type, position }: HistoryRow) => ({ type, position: position as Position })

/**
 * A member's events as far as any of these has come, and what became of those whom the member met: it reaches the member's rows too.
 * Those that cannot be read are left out, and so are those that are not wanted any more when their turn comes.
 */
async function* eventsReaching(
  { events, read, pool, bounds }: CompareDeps,
  replays: readonly Replay[],
  isWanted: (row: HistoryRow) => boolean,
): AsyncGenerator<Weighed[]> {
  const [first] = replays
  if (!first) return
  const upTo = replays.map(({ seen }) => seen.position).reduce((a, b) => (a > b ? a : b))
  await historyReached(pool, upTo)
  const asked = { types: typesCompared, upTo, limit: bounds.page }
  const own = pagesOf((after) => listEventsOf(read, first.member, { ...asked, after }))
  const met = (await listStreamNames(read, first.member, asked)).flatMap(membersNamed)
  const others = [...new Set(met)].filter((one) => one !== first.member)
  const theirs = pagesOf((after) => listAccountEvents(read, others, { ...asked, after }))
  for await (const page of events.ofRows(wantedOf(inOrder([own, theirs], bounds.page), isWanted)))
    yield page.flatMap(({ event, weight }) => (event && !(event instanceof Error) ? [{ event, weight }] : []))
}

async function* wantedOf(pages: RowPages, isWanted: (row: HistoryRow) => boolean) {
  for await (const page of pages) yield page.filter(isWanted)
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
