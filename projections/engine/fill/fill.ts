import type pg from 'pg'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { KeyRing } from '../../../eventstore/keys.ts'
import type { Log } from '../../../eventstore/log.ts'
import { tablePages } from '../../../eventstore/log-table.ts'
import { backOff } from '../../../eventstore/retry.ts'
import { Advance, type AdvanceDeps } from '../advance.ts'
import { Overtaken } from '../apply.ts'
import { findTarget, moveCheckpoints, schemaOf, type Target } from '../checkpoints.ts'
import { handles } from '../fold.ts'
import { isPoison } from '../poison.ts'
import { quarantined } from '../quarantine.ts'
import { indexFilled, swapIn } from '../swap.ts'
import { type LogLife, logLife } from '../targets.ts'
import { type BulkLimits, type BulkPage, fillInBulk } from './bulk.ts'
import { Meter, type OnProgress } from './meter.ts'
import { headOf, pagesAfter } from './pages.ts'

export type FillDeps = AdvanceDeps & {
  readonly log: Pick<Log, 'id' | 'readAll' | 'head'>
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'forget'>
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress
  /** The database of the embedded log, if it is the log: its table is read directly. */
  readonly table?: pg.ClientConfig | undefined
} & BulkLimits

/** A target at the head of the log, and what brings it further. */
export type Filled = {
  readonly advance: Advance
  readonly meter: Meter
  /** To a position, to the end of the log without one. */
  catchUp(to?: Position): Promise<void>
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** `upTo` is where it ends, the head of the log without it. */
export type FillOptions = { readonly strict: boolean; readonly upTo?: Position | undefined }

/**
 * Fills tables behind which nobody reads others, indexes them and swaps them in; poisonous events are set aside. Throws
 * Overtaken when another process did it.
 */
export async function fillAndSwap(deps: FillDeps, target: Target): Promise<Target> {
  const filled = await fill(deps, target, { strict: false })
  await swapWhenQuiet(deps, filled)
  return { ...filled.advance.target, state: 'live' }
}

/**
 * Fills a target and indexes it. Goes on where a killed one stopped. Strict: throws PoisonEvent and changes nothing for
 * readers; otherwise poisonous events are set aside. Throws Overtaken when another process did it.
 */
export async function fill(deps: FillDeps, target: Target, { strict, upTo }: FillOptions): Promise<Filled> {
  const { epoch, head } = await logLife(deps.log)
  const life = { epoch, head: upTo !== undefined && upTo < head ? upTo : head }
  const meter = new Meter(deps.onProgress, target.position, life.head)
  const behind = life.head > target.position && (await quarantined(deps.pool, target)).events === 0
  const started = behind ? await fillFast(deps, target, life, meter) : target
  const advance = await Advance.of(deps, started, { strict })
  const catchUp = (to?: Position) => catchUpTo(deps, advance, meter, to)
  await catchUp(upTo)
  meter.report('index', advance.target.position)
  await indexFilled(deps.pool, deps.projection, advance.target)
  await catchUp(upTo)
  return { advance, meter, catchUp }
}

/**
 * To the head that was, in memory and by COPY; as far as a poisonous event lets it, which the batches that follow name.
 */
async function fillFast(deps: FillDeps, target: Target, { epoch, head }: LogLife, meter: Meter): Promise<Target> {
  const { pool, codec, keys, projection, signal, writeEveryMs, bytesInMemory } = deps
  const onPage = ({ passed, to }: BulkPage) => meter.count(passed, to)
  let at = target
  const note = async (db: pg.ClientBase, to: Position, passed: number) => {
    if ((await moveCheckpoints(db, [{ target: at, to, epoch, passed }])) === 0)
      throw new Overtaken(`${target.name} moved`)
    at = { ...at, position: to, epoch: at.epoch ?? epoch }
  }
  const index = () => indexFilled(pool, projection, target)
  const limits = { writeEveryMs, bytesInMemory }
  const bulk = { pool, codec, keys, projection, signal, note, onPage, index, ...limits, schema: schemaOf(target) }
  try {
    const pages = bulkPages(deps, target.position, head)
    await fillInBulk({ ...bulk, empty: target.position === START }, pages)
  } catch (error) {
    if (!isPoison(error)) throw error
  }
  return (await findTarget(pool, target)) ?? at
}

async function* bulkPages(deps: FillDeps, after: Position, head: Position): AsyncGenerator<BulkPage> {
  const { projection, signal, table, log } = deps
  if (table) {
    yield* tablePages(table, { after, to: head, types: Object.keys(projection.when), signal })
    return
  }
  for await (const page of pagesAfter(log, after, signal)) {
    const within = page.filter(({ position }) => position <= head)
    const to = within[within.length - 1]?.position
    if (to) yield { events: within.filter(({ type }) => handles(projection, type)), to, passed: within.length }
    if (within.length < page.length || to === head) return
  }
}

/** To exactly a position; without one to where the log ends at this moment, however fast it grows. */
export async function catchUpTo(
  deps: Pick<FillDeps, 'log' | 'signal'>,
  advance: Advance,
  meter: Pick<Meter, 'count'>,
  until?: Position,
): Promise<void> {
  deps.signal.throwIfAborted()
  const to = until ?? (await headOf(deps.log, deps.signal))
  if (advance.target.position >= to) return
  for await (const page of pagesAfter(deps.log, advance.target.position, deps.signal)) {
    const due = page.filter(({ position }) => position <= to)
    await advance.take(due, advance.target.epoch ?? (await deps.log.id()))
    meter.count(due.length, advance.target.position)
    if (advance.target.position >= to || due.length < page.length) return
  }
}

/** Tries again for as long as readers or others lock what it needs. */
export async function swapWhenQuiet(deps: FillDeps, { advance, meter, catchUp }: Filled): Promise<void> {
  meter.report('swap', advance.target.position)
  for (let attempt = 0; ; attempt++) {
    try {
      return await swapIn(deps.pool, deps.projection, advance.target, catchUp)
    } catch (error) {
      const code = (error as Partial<pg.DatabaseError>).code
      if ((code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) || deps.signal.aborted) throw error
      await backOff(attempt, deps.signal)
      await catchUp()
    }
  }
}
