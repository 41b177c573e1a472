import type pg from 'pg'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { Log } from '../../../eventstore/log.ts'
import { pause } from '../../../eventstore/retry.ts'
import { CheckpointConflict, moveCheckpoints } from '../apply.ts'
import { BatchProcessor, type BatchProcessorDeps, type Processing } from '../batch-processor.ts'
import { findTarget, type Target } from '../checkpoints.ts'
import { removeAllExpired } from '../expiry/expire.ts'
import { inParts } from '../in-parts.ts'
import { Debts } from '../owed/pay.ts'
import { isPoison } from '../poison.ts'
import { quarantined } from '../quarantine.ts'
import { type LogEnd, logEndOf, type TargetLog } from '../set-back.ts'
import type { IndexesFor } from '../tables.ts'
import { indexFilled, removeAsIs, swapIn } from '../targets.ts'
import { Meter, type OnProgress } from './meter.ts'
import type { ModelToFill } from './model.ts'
import { endOfLog, headOf, pagesAfter } from './pages.ts'
import type { Passes } from './passes.ts'

export type FillDeps = BatchProcessorDeps & {
  readonly log: TargetLog & Pick<Log, 'readAll'>
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

/** Between the first two tries of a swap, for which readers wait a moment each time; then twice as long, up to the most. */
const AGAIN_MS = 1_000
const AGAIN_MOST_MS = 16_000

/** What is filled up to the head that a pass had, or to `upTo`. */
export type Begun = Filled & { readonly upTo: Position | undefined }

/**
 * Fills tables behind which nobody reads others, indexes them and swaps them in; poisonous events are quarantined. Throws
 * CheckpointConflict when another process did it.
 */
export async function fillAndSwap(deps: FillDeps, target: Target): Promise<Target> {
  const filled = await complete(deps, await begin(deps, target, { poison: 'quarantined' }))
  await swapWithRetries(deps, filled)
  return { ...filled.processor.target, state: 'live' }
}

/**
 * Fills a target in memory and by COPY, in a pass over the log with others; tables that were live pay first what they owe.
 * Resumes where a killed one stopped. A poisonous event ends the pass of this one, which goes on by itself and with indexes, by
 * the rule of `Processing`. Throws PoisonEvent by that, and CheckpointConflict when another process moved it.
 */
export async function begin(
  deps: FillDeps,
  target: Target,
  { poison, upTo }: Pick<Processing, 'poison'> & { readonly upTo?: Position | undefined },
): Promise<Begun> {
  const log = await logEndOf(deps.log)
  const end = { ...log, head: upTo !== undefined && upTo < log.head ? upTo : log.head }
  const meter = new Meter(deps.onProgress, target.position, end.head)
  await new Debts({ ...deps, until: deps.signal }, () => target).payAll()
  const behind = end.head > target.position && (await quarantined(deps.pool, target)).events === 0
  const filled = behind ? await fillInPass(deps, target, end, meter) : target
  const endOf = () => logEndOf(deps.log)
  const processor = await BatchProcessor.of(deps, filled, { poison, endOf, until: deps.signal })
  const catchUp = (to?: Position) => catchUpTo(deps, processor, meter, to)
  if (filled.position < end.head) {
    // Without indexes each batch reads tables whole that grow under it.
    await indexFilled(deps.pool, deps.projection, filled)
    await catchUp(upTo)
  }
  return { processor, meter, catchUp, upTo }
}

/** From where a pass ended to the end, with indexes; poisonous events as in `begin`. */
export async function complete(deps: FillDeps, { processor, meter, catchUp, upTo }: Begun): Promise<Filled> {
  await catchUp(upTo)
  meter.report('index', processor.target.position)
  await indexFilled(deps.pool, deps.projection, processor.target, { analyse: 'all' })
  await catchUp(upTo)
  await removeAllExpired(deps.pool, deps.projection, processor.target)
  return { processor, meter, catchUp }
}

async function fillInPass(deps: FillDeps, target: Target, { logId, head }: LogEnd, meter: Meter): Promise<Target> {
  const { pool, projection, signal } = deps
  let at = target
  const note: ModelToFill['note'] = async (db, move) => {
    await moveCheckpoints(db, [{ ...move, target: at, logId }])
    at = { ...at, position: move.to, logId: at.logId ?? logId, clock: move.clock }
  }
  const index = (only: IndexesFor) => indexFilled(pool, projection, target, { only })
  const onPage = (passed: number, to: Position) => meter.count(passed, to)
  try {
    const empty = target.position === START
    await deps.passes.fill({ pool, projection, target, empty, head, signal, note, onPage, index })
  } catch (error) {
    if (!isPoison(error)) throw error
  }
  return (await findTarget(pool, target)) ?? at
}

/** The log ends before what was read of it. */
class LogSetBack extends Error {
  override name = 'LogSetBack'
}

/** To exactly a position; without one to where the log ends at this moment, however fast it grows. Throws LogSetBack. */
export async function catchUpTo(
  deps: Pick<FillDeps, 'log' | 'signal'>,
  processor: BatchProcessor,
  meter: Pick<Meter, 'count'>,
  until?: Position,
): Promise<void> {
  deps.signal.throwIfAborted()
  const to = until ?? (await headOf(deps.log, deps.signal))
  const { name, position } = processor.target
  if (until === undefined && position > to && position > (await endOfLog(deps.log, deps.signal)))
    throw new LogSetBack(`The log was set back behind the new tables of ${name}, which are of no use. Try again.`)
  if (position >= to) return
  for await (const page of pagesAfter(deps.log, position, deps.signal)) {
    const due = page.filter(({ position }) => position <= to)
    for (const part of inParts(due)) await processor.take(part, processor.target.logId ?? (await deps.log.id()))
    meter.count(due.length, processor.target.position)
    if (processor.target.position >= to || due.length < page.length) return
  }
}

/** Live applied what is in quarantine here: it came back to life. */
class LacksOfLive extends Error {}

/**
 * Tries again for as long as readers or others lock what it needs. New tables that lack what live has applied since are removed, and
 * made anew they stop at it: throws CheckpointConflict.
 */
export async function swapWithRetries(deps: FillDeps, { processor, meter, catchUp }: Filled): Promise<void> {
  const { pool, projection, signal } = deps
  meter.report('swap', processor.target.position)
  const swap = async () => {
    signal.throwIfAborted()
    await swapIn(pool, projection, processor.target, async (to) => {
      await catchUp(to)
      if (await processor.lacksOfLive()) throw new LacksOfLive(processor.target.name)
    })
  }
  const failed = (error: unknown) => {
    const code = (error as Partial<pg.DatabaseError>).code
    if (!code || !WORTH_ANOTHER.includes(code) || signal.aborted) throw error
  }
  const swapped = async () => {
    for (let waits = AGAIN_MS; ; waits = Math.min(2 * waits, AGAIN_MOST_MS)) {
      try {
        return await swap()
      } catch (error) {
        failed(error)
      }
      await pause(waits, signal)
      await catchUp()
    }
  }
  await swapped().catch(async (error: unknown) => {
    if (!(error instanceof LacksOfLive)) throw error
    await removeAsIs(pool, processor.target)
    throw new CheckpointConflict(`live of ${error.message} came to an event that the new tables are without`)
  })
}
