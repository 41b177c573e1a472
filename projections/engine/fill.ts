import type pg from 'pg'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import { type Log, LogUnavailable } from '../../eventstore/log.ts'
import { backOff } from '../../eventstore/retry.ts'
import { Advance, type AdvanceDeps } from './advance.ts'
import { guarded, Overtaken, readable, writeAll } from './apply.ts'
import { moveCheckpoint, schemaOf, type Target } from './checkpoints.ts'
import { changesOf, emptySets, foldChanges, handles, type RowSets } from './fold.ts'
import { isPoison } from './poison.ts'
import { indexFilled, swapIn } from './swap.ts'
import { inTransaction } from './transaction.ts'

/** `done` counts events since the filling began or went on. */
export type FillProgress = {
  readonly phase: 'fill' | 'index' | 'swap'
  readonly from: Position
  readonly position: Position
  readonly head: Position
  readonly done: number
}

export type FillDeps = AdvanceDeps & {
  readonly log: Pick<Log, 'readAll' | 'head'>
  readonly signal: AbortSignal
  readonly onProgress?: (progress: FillProgress) => void
}

/** One question to the log; more in one could be lost to its time limit. */
const PAGE = 500
/** Rows that are folded without the database before they are written at once. */
const ROWS_IN_MEMORY = 200_000
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/**
 * Fills a target to the head of the log, indexes it and swaps it in. Goes on where a killed one stopped. Strict: throws
 * PoisonEvent and changes nothing for readers; otherwise poisonous events are set aside. Throws Overtaken when a rival did it.
 */
export async function fillAndSwap(deps: FillDeps, target: Target, { strict }: { strict: boolean }): Promise<Target> {
  const meter = new Meter(deps, target.position, await deps.log.head())
  const started = target.position === START ? await fillInMemory(deps, target, meter) : target
  const advance = await Advance.of(deps, started, { strict })
  await catchUp(deps, advance, meter)
  meter.tell('index', advance.target.position)
  await indexFilled(deps.pool, deps.projection, advance.target)
  await catchUp(deps, advance, meter)
  meter.tell('swap', advance.target.position)
  await swapWhenQuiet(deps, advance, meter)
  return { ...advance.target, state: 'live' }
}

/** From the start to the head, or as far as memory allows: folded without reading a row, written in one transaction. */
async function fillInMemory(deps: FillDeps, target: Target, meter: Meter): Promise<Target> {
  const { projection, pool, decode } = deps
  const sets = emptySets(projection)
  let [position, epoch] = [target.position, target.epoch]
  try {
    for await (const page of pagesAfter(deps, START)) {
      const decoded = await decode(page.filter(({ type }) => handles(projection, type)))
      guarded(() => foldChanges(changesOf(projection, decoded.map(readable)), sets))
      epoch ??= page[0]!.id
      position = page[page.length - 1]!.position
      meter.count(page.length, position)
      if (rowsIn(sets) > ROWS_IN_MEMORY) break
    }
  } catch (error) {
    // The batches that follow find the event and name it.
    if (isPoison(error)) return target
    throw error
  }
  if (position === START) return target
  await inTransaction(pool, async (db) => {
    if (!(await moveCheckpoint(db, target, position, epoch))) throw new Overtaken(`${target.name} moved`)
    await writeAll(db, schemaOf(target), sets)
  }).catch((error: unknown) => {
    if (!isPoison(error)) throw error
    position = START
  })
  return position === START ? target : { ...target, position, epoch }
}

const rowsIn = (sets: RowSets): number => [...sets.values()].reduce((sum, set) => sum + set.size, 0)

async function catchUp(deps: FillDeps, advance: Advance, meter: Meter, to?: Position): Promise<void> {
  if (to && advance.target.position >= to) return
  for await (const page of pagesAfter(deps, advance.target.position)) {
    await advance.take(page, advance.target.epoch ?? page[0]!.id)
    meter.count(page.length, advance.target.position)
    if (to && advance.target.position >= to) return
  }
}

async function swapWhenQuiet(deps: FillDeps, advance: Advance, meter: Meter): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await swapIn(deps.pool, deps.projection, advance.target, (to) => catchUp(deps, advance, meter, to))
    } catch (error) {
      const code = (error as Partial<pg.DatabaseError>).code
      if ((code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) || deps.signal.aborted) throw error
      await backOff(attempt, deps.signal)
      await catchUp(deps, advance, meter)
    }
  }
}

/** The log after a position, page by page to its end; the next page is on its way while one is worked on. */
async function* pagesAfter({ log, signal }: FillDeps, after: Position): AsyncGenerator<StoredEvent[]> {
  const read = (from: Position) => {
    const page = readPage(log, from, signal)
    page.catch(() => undefined)
    return page
  }
  let next = read(after)
  for (;;) {
    const page = await next
    signal.throwIfAborted()
    if (page.length === 0) return
    next = read(page[page.length - 1]!.position)
    yield page
  }
}

/** A log that does not answer is asked again for as long as it takes: what was folded so far is not given up. */
async function readPage(log: FillDeps['log'], after: Position, signal: AbortSignal): Promise<StoredEvent[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await log.readAll(after, PAGE)
    } catch (error) {
      if (signal.aborted || !(error instanceof LogUnavailable)) throw error
      await backOff(attempt, signal)
    }
  }
}

class Meter {
  private done = 0

  constructor(
    private readonly deps: FillDeps,
    private readonly from: Position,
    private readonly head: Position,
  ) {}

  count(events: number, position: Position): void {
    this.done += events
    this.tell('fill', position)
  }

  tell(phase: FillProgress['phase'], position: Position): void {
    const head = position > this.head ? position : this.head
    this.deps.onProgress?.({ phase, from: this.from, position, head, done: this.done })
  }
}
