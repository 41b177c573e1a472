import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Codec } from '../../eventstore/codec.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import type { Log } from '../../eventstore/log.ts'
import type { Projection } from '../projection.ts'
import type { Poison } from './batch-processor.ts'
import { bringLive, type LiveDeps, payLive } from './care/bring-live.ts'
import { alone } from './care/rebuild-lock.ts'
import { NotCompared, type RebuildVerdict, verifyFilled } from './care/verify.ts'
import { schemaOf, type Target } from './checkpoints.ts'
import { createDecode } from './decoding.ts'
import { type Begun, begin, complete, type Filled, swapWithRetries } from './fill/fill.ts'
import type { FillProgress, OnProgress } from './fill/meter.ts'
import type { BulkLimits } from './fill/pass.ts'
import { Passes } from './fill/passes.ts'
import { quarantined } from './quarantine.ts'
import type { TargetLog } from './set-back.ts'
import { checkProjection } from './tables.ts'
import { findOrMakeTarget } from './targets.ts'

export type RebuildDeps = {
  readonly log: TargetLog & Pick<Log, 'readAll'>
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'forget'>
  readonly pool: pg.Pool
  readonly signal: AbortSignal
  readonly onProgress?: OnProgress | undefined
  /** The embedded log's own database, where it is the log: read directly. */
  readonly table?: pg.ClientConfig | undefined
  /** Rows of an erasure that are changed at once. */
  readonly piece?: number | undefined
  /** Of others that are made anew at the same time: one pass over the log, and after it one at a time. Without it, alone. */
  readonly passes?: Passes
} & Pick<LiveDeps, 'liveComesMs'> &
  BulkLimits

export type RebuildOptions = {
  /** Leaves the filled tables for a later swap. */
  readonly swap?: boolean
  /** Swaps although rows differ. */
  readonly whatever?: boolean
  readonly poison?: Poison
  /** The position of live: there it is compared with the new tables, before those continue to the head of the log. */
  readonly liveAt?: Position | undefined
}

/**
 * `verdict` is null where there was nothing to compare with, and of a swap of whatever there is also where the two could not be
 * compared (NotCompared); `swapped` is false when it was not asked for or rows differ.
 */
export type Rebuilt = Target & {
  readonly schema: string
  readonly verdict: RebuildVerdict | null
  readonly swapped: boolean
}

/** The running product's code is newer than this one: its tables are not ours to make. */
export class NewerCode extends Error {
  override name = 'NewerCode'
}

/**
 * Makes a projection's tables anew from the log, beside those that readers see, compares them with those, and swaps
 * them in; a rebuild that was killed resumes where it stopped, unless its tables are without events at which this one stops. Rows of
 * the same version that differ stop it before the swap, unless live has events in quarantine. A poisonous event goes into quarantine where `poison` has it so, and otherwise is
 * named by PoisonEvent, and readers keep what they had. Throws NotCompared where live could not be compared, and RebuildRunning
 * when another one is under way.
 */
export async function rebuild(
  deps: RebuildDeps,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<Rebuilt> {
  checkProjection(projection)
  return alone(deps, projection.name, async (own) => {
    const { poison = 'stops' } = options
    const asked = { again: true, whole: poison === 'stops' }
    const assignment = await findOrMakeTarget(own.pool, own.log, projection, asked)
    if (assignment.do === 'wait') throw newerCode(projection, assignment.newer)
    // Another one went live in this moment.
    if (assignment.do === 'follow') return rebuilt(assignment.target, null, true)
    return fillVerifyAndSwap({ ...own, projection }, assignment.target, options)
  })
}

/**
 * Makes several anew in one pass over the log; one that fails is no matter to the others. `onProgress` is called with the
 * read model that it is about.
 */
export async function rebuildAll(
  deps: Omit<RebuildDeps, 'onProgress'>,
  projections: readonly Projection[],
  options: RebuildOptions & { readonly onProgress?: (name: string, progress: FillProgress) => void } = {},
): Promise<PromiseSettledResult<Rebuilt>[]> {
  const { onProgress } = options
  const passes = new Passes(deps, projections.length)
  const one = (projection: Projection) => {
    const own = onProgress && ((progress: FillProgress) => onProgress(projection.name, progress))
    return rebuild({ ...deps, passes, onProgress: own }, projection, options)
  }
  return Promise.allSettled(projections.map(one))
}

function newerCode({ name, version }: Projection, newer: Target): NewerCode {
  const feeds = `${name} has tables of version ${newer.version}, and this code makes version ${version}.`
  return new NewerCode(`${feeds} Rebuild it with the newer code.`)
}

const rebuilt = (target: Target, verdict: RebuildVerdict | null, swapped: boolean): Rebuilt => ({
  ...target,
  schema: schemaOf(target),
  verdict,
  swapped,
})

/** From the target's state, whichever it is, to readers. */
export async function fillVerifyAndSwap(
  deps: RebuildDeps & { projection: Projection },
  target: Target,
  options: RebuildOptions,
): Promise<Rebuilt> {
  const decode = createDecode(deps.codec, deps.keys)
  const { passes = new Passes(deps) } = deps
  const fillDeps = { ...deps, decode, passes }
  const begun = await begin(fillDeps, target, { poison: options.poison ?? 'stops', upTo: options.liveAt })
  return passes.turns.take(() => afterPass(fillDeps, begun, options))
}

async function afterPass(deps: LiveDeps, begun: Begun, options: RebuildOptions): Promise<Rebuilt> {
  const { swap = true, whatever = false, liveAt } = options
  const filled = await complete(deps, begun)
  const verdict = await verified(deps, filled).catch((error: unknown) => {
    if (!(whatever && error instanceof NotCompared)) throw error
    return null
  })
  if (liveAt !== undefined) await filled.catchUp()
  const sound = whatever || verdict === null || verdict.same || (await mayDiffer(deps.pool, verdict))
  if (!swap || !sound) return rebuilt(filled.processor.target, verdict, false)
  await swapWithRetries(deps, filled)
  return rebuilt({ ...filled.processor.target, state: 'live' }, verdict, true)
}

async function verified(deps: LiveDeps, { processor, meter, catchUp }: Filled): Promise<RebuildVerdict | null> {
  const { pool, projection } = deps
  meter.report('verify', processor.target.position)
  const beside = { bringLive: (to: Position) => bringLive(deps, to), payLive: () => payLive(deps) }
  return verifyFilled({ pool, projection, catchUp, ...beside }, processor.target)
}

/** Other code makes other rows, and what live quarantined is missing there. */
async function mayDiffer(pool: pg.Pool, { live, fresh }: RebuildVerdict): Promise<boolean> {
  return live.version !== fresh.version || (await quarantined(pool, live)).events > 0
}
