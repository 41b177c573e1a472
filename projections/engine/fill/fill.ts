import type pg from 'pg'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { Log } from '../../../eventstore/log.ts'
import { untilAnswered } from '../../../eventstore/retry.ts'
import { moveCheckpoints } from '../apply.ts'
import { BatchProcessor, type BatchProcessorDeps, type Processing } from '../batch-processor.ts'
import { findTarget, type Target } from '../checkpoints.ts'
import { removeAllExpired } from '../expiry/expire.ts'
import { inParts } from '../in-parts.ts'
import { Debts } from '../owed/pay.ts'
import { isPoison } from '../poison.ts'
import { quarantined } from '../quarantine.ts'
import type { IndexesFor } from '../tables.ts'
import { indexFilled, type LogEnd, logEndOf, swapIn } from '../targets.ts'
import { Meter, type OnProgress } from './meter.ts'
import { headOf, pagesAfter } from './pages.ts'
import type { Passes } from './passes.ts'

export type FillDeps = BatchProcessorDeps & {
  readonly log: Pick<Log, 'id' | 'readAll' | 'head'>
  /** With whom it goes over the log. */
  readonly passes: Passes
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress | undefined
}

/** A target at the head of the log, and what brings it further. */
export type Filled = {
  readonly processor: BatchProcessor
  readonly meter: Meter
  /** To a position, to the end of the log without one. */
  catchUp(to?: Position): Promise<void>
}

/** Postgres' codes of a lock timeout, a deadlock, and a transaction that was idle for too long. */
const WORTH_ANOTHER: readonly string[] = ['55P03', '40P01', '25P03']

/** What a pass filled, up to the head that it had, or to `upTo`. */
export type Begun = { readonly target: Target; readonly meter: Meter; readonly upTo: Position | undefined }

/**
 * Fills tables behind which nobody reads others, indexes them and swaps them in; poisonous events are quarantined. Throws
 * CheckpointConflict when another process did it.
 */
export async function fillAndSwap(deps: FillDeps, target: Target): Promise<Target> {
  const filled = await complete(deps, await begin(deps, target), { strict: false })
  await swapWithRetries(deps, filled)
  return { ...filled.processor.target, state: 'live' }
}

/**
 * Fills a target in memory and by COPY, in a pass over the log with others; tables that were live pay first what they owe.
 * Resumes where a killed one stopped. A poisonous event ends the pass of this one, and is named by what completes it. Throws
 * CheckpointConflict when another process moved it.
 */
export async function begin(deps: FillDeps, target: Target, upTo?: Position): Promise<Begun> {
  const { logId, head } = await logEndOf(deps.log)
  const end = { logId, head: upTo !== undefined && upTo < head ? upTo : head }
  const meter = new Meter(deps.onProgress, target.position, end.head)
  await new Debts({ ...deps, until: deps.signal }, () => target).payAll()
  const behind = end.head > target.position && (await quarantined(deps.pool, target)).events === 0
  return { target: behind ? await fillInPass(deps, target, end, meter) : target, meter, upTo }
}

/**
 * From where a pass left it to the end, with indexes. Strict: throws PoisonEvent, by the rule of `Processing`, and changes
 * nothing for readers; otherwise poisonous events are quarantined.
 */
export async function complete(
  deps: FillDeps,
  { target, meter, upTo }: Begun,
  how: Pick<Processing, 'strict' | 'asLive'>,
): Promise<Filled> {
  const processor = await BatchProcessor.of(deps, target, { ...how, until: deps.signal })
  const catchUp = (to?: Position) => catchUpTo(deps, processor, meter, to)
  await catchUp(upTo)
  meter.report('index', processor.target.position)
  await indexFilled(deps.pool, deps.projection, processor.target)
  await catchUp(upTo)
  await removeAllExpired(deps.pool, deps.projection, processor.target)
  return { processor, meter, catchUp }
}

async function fillInPass(deps: FillDeps, target: Target, { logId, head }: LogEnd, meter: Meter): Promise<Target> {
  const { pool, projection } = deps
  let at = target
  const note = async (db: pg.ClientBase, to: Position, passed: number, clock: Date | null) => {
    await moveCheckpoints(db, [{ target: at, to, logId, passed, clock }])
    at = { ...at, position: to, logId: at.logId ?? logId, clock }
  }
  const index = (only: IndexesFor) => indexFilled(pool, projection, target, only)
  const onPage = (passed: number, to: Position) => meter.count(passed, to)
  try {
    await deps.passes.fill({ pool, projection, target, empty: target.position === START, head, note, onPage, index })
  } catch (error) {
    if (!isPoison(error)) throw error
  }
  return (await findTarget(pool, target)) ?? at
}

/** To exactly a position; without one to where the log ends at this moment, however fast it grows. */
export async function catchUpTo(
  deps: Pick<FillDeps, 'log' | 'signal'>,
  processor: BatchProcessor,
  meter: Pick<Meter, 'count'>,
  until?: Position,
): Promise<void> {
  deps.signal.throwIfAborted()
  const to = until ?? (await headOf(deps.log, deps.signal))
  if (processor.target.position >= to) return
  for await (const page of pagesAfter(deps.log, processor.target.position, deps.signal)) {
    const due = page.filter(({ position }) => position <= to)
    for (const part of inParts(due)) await processor.take(part, processor.target.logId ?? (await deps.log.id()))
    meter.count(due.length, processor.target.position)
    if (processor.target.position >= to || due.length < page.length) return
  }
}

/** Tries again for as long as readers or others lock what it needs. */
export async function swapWithRetries(deps: FillDeps, { processor, meter, catchUp }: Filled): Promise<void> {
  const { pool, projection, signal } = deps
  meter.report('swap', processor.target.position)
  const swap = async (attempt: number) => {
    if (attempt > 0) await catchUp()
    await swapIn(pool, projection, processor.target, catchUp)
  }
  const failed = (error: unknown) => {
    const code = (error as Partial<pg.DatabaseError>).code
    if (!code || !WORTH_ANOTHER.includes(code) || signal.aborted) throw error
  }
  await untilAnswered(swap, failed, signal)
}
