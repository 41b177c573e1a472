import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import { askedUntil } from '../../eventstore/asked-until.ts'
import type { Codec } from '../../eventstore/codec.ts'
import { createFeed, type Feed } from '../../eventstore/feed.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import type { Log } from '../../eventstore/log.ts'
import { answered } from '../../eventstore/retry.ts'
import type { Projection } from '../projection.ts'
import { watchPaused } from './care/pause.ts'
import { type CaughtUp, createCaughtUp } from './caught-up.ts'
import { createCondition } from './condition.ts'
import { createDecode } from './decoding.ts'
import type { BulkLimits } from './fill/pass.ts'
import { Passes } from './fill/passes.ts'
import { createHeadFollower, type Lag } from './head-watch.ts'
import { Lanes } from './lanes.ts'
import { Leases } from './leases.ts'
import { reasonOf } from './poison.ts'
import { type Report, Runner, type RunnerState } from './runner.ts'
import { checkProjection } from './tables.ts'
import { Waiters } from './waiters.ts'

export type ProjectorDeps = {
  readonly log: Log
  /** The process' shared feed; without it the projector opens one of its own. */
  readonly feed?: Feed
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'forget'>
  /** Wants a connection for each projection, and two more. */
  readonly pool: pg.Pool
  /** The embedded log's own database, where it is the log: new tables are filled from it directly. */
  readonly table?: pg.ClientConfig | undefined
  readonly projections: readonly Projection[]
  readonly keysMost?: number
  readonly piece?: number
  /** In milliseconds: the first rest of a filling that stops at the same event again. */
  readonly restMs?: number
  readonly now: () => Date
  readonly report: Report
} & BulkLimits

export type ProjectionStatus = {
  readonly name: string
  readonly version: number
  readonly state: RunnerState
  readonly position: Position
  readonly lag: Lag
  readonly error: string | null
  /** Events in quarantine. */
  readonly quarantined: number
}

/** Keeps read models up to date with the log. Any number of processes may run one: concurrent processes do no harm. */
export type Projector = {
  /** Resolves once every read model that members see can be read; a new version fills on behind the old one. */
  start(): Promise<void>
  /** Ends after the batches under way; what it asked the log is called off. */
  stop(): Promise<void>
  /** What readers see of each projection. */
  positions(): Map<string, Position>
  status(): ProjectionStatus[]
  /** True once the named projections (all of this process when absent) show this position; false when they do not within `ms`. */
  waitFor(position: Position, names?: readonly string[], ms?: number): Promise<boolean>
}

const WAIT_MS = 1_500
/** A process that the log does not answer within it leaves the read models to others. */
const LOG_ANSWERS_MS = 2_000

export function createProjector(deps: ProjectorDeps): Projector {
  const { log, codec, keys, pool, projections, now, report, keysMost, piece, restMs } = deps
  for (const projection of projections) checkProjection(projection)
  const feed = deps.feed ?? createFeed(log)
  const onLost = (text: string) => (error: unknown) => report('warn', text, { reason: reasonOf(error) })
  const stopped = new AbortController()
  const waiters = new Waiters()
  const asked = askedUntil(stopped.signal, log)
  const decode = createDecode(codec, keys)
  const lanes = new Lanes({ pool, feed, decode }, stopped.signal)
  // A pool hides its password from whoever copies its options.
  const connection = { ...pool.options, password: pool.options.password }
  const names = projections.map(({ name }) => name)
  const leases = new Leases(connection, names, {
    change: () => void runners.map((runner) => runner.onLease()),
    error: onLost('the leases of read models are out of reach'),
    condition: createCondition(
      () => answered((signal) => log.head(signal), LOG_ANSWERS_MS, [stopped.signal]),
      () => runners.filter(({ state }) => state === 'live').map(({ position }) => position),
    ),
  })
  const passes = new Passes({ ...deps, log: asked, signal: stopped.signal }, projections.length)
  const runnerDeps = { pool, log: asked, lanes, leases, decode, codec, keys, passes, report, keysMost, piece, restMs }
  const onMove = () => waiters.look()
  const runners: readonly Runner[] = projections.map((projection) => new Runner(runnerDeps, projection, onMove))
  const head = createHeadFollower({
    feed,
    headOf: asked.head,
    signal: stopped.signal,
    onLost: onLost('the head of the log is out of reach'),
  })
  let paused: ReadonlyMap<string, Date> = new Map()
  let running: Promise<unknown> = Promise.resolve()

  return {
    async start() {
      running = Promise.all([
        head.run(),
        leases.run(stopped.signal),
        watchPaused(pool, stopped.signal, (now) => (paused = now), onLost('which read models are paused is not known')),
        ...runners.map((runner) => runner.run(stopped.signal)),
      ])
      await waiters.until(() => runners.every(isReadable))
    },
    async stop() {
      stopped.abort()
      waiters.close()
      await running
      if (!deps.feed) await feed.close()
    },
    positions: () => new Map(runners.map(({ projection, position }) => [projection.name, position])),
    status: () =>
      runners.map(({ projection: { name, version }, state: own, position, error, quarantined }) => {
        const state = isShown(own) && paused.has(name) ? 'paused' : own
        const lag = head.lagOf(position, now())
        return { name, version, state, position, lag, error, quarantined }
      }),
    waitFor: createWaitFor(runners, waiters, createCaughtUp(pool, asked)),
  }
}

/** Members wait for no read model that operators alone read. */
const isReadable = ({ readable, projection }: Runner) => readable || projection.readBy === 'operators'

const isShown = (state: RunnerState) => state === 'live' || state === 'following' || state === 'outdated'

/** What this process feeds is known here; of the others the checkpoints are asked. */
function createWaitFor(runners: readonly Runner[], waiters: Waiters, caughtUp: CaughtUp): Projector['waitFor'] {
  return async (position, names, ms = WAIT_MS) => {
    const reached = (runner: Runner) => runner.readable && runner.position >= position
    const asked = runners.filter(({ projection }) => !names || names.includes(projection.name))
    const elsewhere = asked.filter((runner) => runner.state === 'following' && !reached(runner))
    const own = asked.filter((runner) => !elsewhere.includes(runner))
    const waited = waiters.until(() => own.every(reached), ms)
    const theirs = elsewhere.map(({ projection }) => projection.name)
    return (theirs.length === 0 || (await caughtUp(position, theirs, ms))) && waited
  }
}
