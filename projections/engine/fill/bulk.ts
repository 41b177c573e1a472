import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { KeyRing } from '../../../eventstore/keys.ts'
import type { Projection } from '../../projection.ts'
import { guarded } from '../apply.ts'
import { forgottenBy } from '../decoding.ts'
import { changesOf, emptySets, foldChanges, type RowSets, wantedBy } from '../fold.ts'
import { fillRows, loadRows } from '../rows.ts'
import { inTransaction } from '../transaction.ts'

/** Handled events up to a position; `passed` counts what of the log lies behind with them. */
export type BulkPage = { readonly events: readonly StoredEvent[]; readonly to: Position; readonly passed: number }

export type BulkDeps = {
  readonly pool: pg.Pool
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'forget'>
  readonly projection: Projection
  readonly schema: string
  readonly signal: AbortSignal
  /** The tables hold nothing yet, so no row has to be looked for. */
  readonly empty: boolean
  /** Moves the record of how far the rows are, in their transaction. */
  readonly note: (db: pg.ClientBase, to: Position, passed: number) => Promise<void>
  readonly onPage: (page: BulkPage) => void
  /** Makes the indexes of the tables, once rows are looked for in them. */
  readonly index: () => Promise<void>
} & BulkLimits

/** How long what was folded may stay unwritten, and about how much of it may be in memory. */
export type BulkLimits = {
  readonly writeEveryMs?: number | undefined
  readonly bytesInMemory?: number | undefined
}

/** Rows are written and let go beyond it. */
const BYTES_IN_MEMORY = 192 * 1024 ** 2
/** Events that look for their rows together, once rows are not all in memory. */
const LOADED_AT_ONCE = 10_000
/** A filling that is killed loses no more work than this. */
const WRITE_EVERY_MS = 10_000

/** `whole`: every row that there is is in memory. */
type State = { sets: RowSets; whole: boolean; indexed: boolean; passed: number; writtenAt: number }

/**
 * Folds pages in memory and writes what changed every few seconds: new rows by COPY. While everything fits into memory
 * no row is read. Throws on a poisonous event; what was written before it stays.
 */
export async function fillInBulk(deps: BulkDeps, pages: AsyncIterable<BulkPage>): Promise<void> {
  const [passed, writtenAt] = [0, performance.now()]
  const state: State = { sets: emptySets(deps.projection), whole: deps.empty, indexed: false, passed, writtenAt }
  const isFull = () => bytesIn(state.sets) > (deps.bytesInMemory ?? BYTES_IN_MEMORY)
  let to: Position | undefined
  const write = async () => {
    if (to === undefined || state.passed === 0) return
    await writeAll(deps, state.sets, to, state.passed)
    if (isFull()) Object.assign(state, { sets: emptySets(deps.projection), whole: false })
    Object.assign(state, { passed: 0, writtenAt: performance.now() })
  }
  for await (const page of gathered(pages, () => (state.whole ? 0 : LOADED_AT_ONCE))) {
    await foldPage(deps, state, page.events)
    to = page.to
    state.passed += page.passed
    deps.onPage(page)
    const due = performance.now() - state.writtenAt > (deps.writeEveryMs ?? WRITE_EVERY_MS)
    if (due || isFull()) await write()
  }
  await write()
}

/** Joins pages until they hold so many events: what is loaded from the database is asked for by many at once. */
async function* gathered(pages: AsyncIterable<BulkPage>, least: () => number): AsyncGenerator<BulkPage> {
  let joined: BulkPage | undefined
  for await (const page of pages) {
    const passed = (joined?.passed ?? 0) + page.passed
    joined = { events: joined ? [...joined.events, ...page.events] : page.events, to: page.to, passed }
    if (joined.events.length < least()) continue
    yield joined
    joined = undefined
  }
  if (joined) yield joined
}

async function foldPage(
  { codec, keys, pool, projection, schema, index }: BulkDeps,
  state: State,
  stored: readonly StoredEvent[],
): Promise<void> {
  if (stored.length === 0) return
  const { sets } = state
  const events = await codec.decode(stored)
  for (const event of events) {
    const subject = forgottenBy(event)
    if (subject) keys.forget(subject)
  }
  const changes = guarded(() => changesOf(projection, events))
  if (!state.whole) {
    // Without them each look for rows by their values reads the whole table.
    if (!state.indexed) await index()
    state.indexed = true
    await inTransaction(pool, async (db) => {
      for (const [table, wanted] of wantedBy(changes, sets)) await loadRows(db, schema, sets.get(table)!, wanted)
    })
  }
  guarded(() => foldChanges(changes, sets))
}

async function writeAll({ pool, schema, note }: BulkDeps, sets: RowSets, to: Position, passed: number): Promise<void> {
  await inTransaction(pool, async (db) => {
    await note(db, to, passed)
    for (const set of sets.values()) await fillRows(db, schema, set)
  })
  for (const set of sets.values()) set.settle()
}

const bytesIn = (sets: RowSets): number => [...sets.values()].reduce((sum, { bytes }) => sum + bytes, 0)
