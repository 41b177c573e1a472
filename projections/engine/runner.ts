import type pg from 'pg'
import { type Position, START } from '../../domain/shared/recorded.ts'
import { type Codec, TooNewEvent } from '../../eventstore/codec.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import type { Log } from '../../eventstore/log.ts'
import { keepRunning, pause } from '../../eventstore/retry.ts'
import type { Projection } from '../projection.ts'
import { CheckpointConflict, leaveToOtherProcess } from './apply.ts'
import { BatchProcessor, PoisonEvent, type Processing } from './batch-processor.ts'
import { listPaused } from './care/pause.ts'
import { alone, RebuildRunning } from './care/rebuild-lock.ts'
import { verdictText } from './care/verify.ts'
import { findTarget, livePositions, noteError, positionIn, schemaOf, type Target } from './checkpoints.ts'
import type { Decode } from './decoding.ts'
import { fillAndSwap } from './fill/fill.ts'
import type { Passes } from './fill/passes.ts'
import type { Lanes } from './lanes.ts'
import type { Leases } from './leases.ts'
import { reasonOf } from './poison.ts'
import { TooMuchPoison } from './quarantine.ts'
import { fillVerifyAndSwap, type RebuildDeps } from './rebuild.ts'
import { Rests } from './rests.ts'
import type { TargetLog } from './set-back.ts'
import { findOrMakeTarget } from './targets.ts'

/** What operators read; `fields` contain no personal data. */
export type Report = (
  level: 'debug' | 'info' | 'warn' | 'error',
  text: string,
  fields: Readonly<Record<string, string | number | null>>,
) => void

export type RunnerDeps = {
  readonly pool: pg.Pool
  readonly log: TargetLog & Pick<Log, 'readAll'>
  readonly lanes: Lanes
  readonly leases: Pick<Leases, 'want' | 'giveBack' | 'of' | 'fills'>
  readonly decode: Decode
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'forget'>
  /** Of the read models of this process that are filled at the same time. */
  readonly passes: Passes
  readonly report: Report
  /** Keys that may be in quarantine; by default a hundred. */
  readonly keysMost?: number | undefined
  /** Rows of an erasure that are changed at once. */
  readonly piece?: number | undefined
  /** In milliseconds: the first rest of a filling that stops at the same event again. */
  readonly restMs?: number | undefined
}

/**
 * `following`: another process feeds the tables. `outdated`: newer code is live and does. `paused`: stopped on purpose, in
 * every process.
 */
export type RunnerState = 'starting' | 'filling' | 'live' | 'following' | 'outdated' | 'paused'

const LOOK_AGAIN_MS = 2_000
/** Looks at a lock that another process has, before it is reported that it is waited for. */
const LOOKS_IN_SILENCE = 3
const PAUSE_LOOK_MS = 250
const LEASE_LOOK_MS = 1_000
/** Requests that wrote in this process wait for the position of the newer code's tables. */
const STAND_BY_LOOK_MS = 250

/** Keeps one projection going, whatever happens to its connections, until the signal aborts. */
export class Runner {
  state: RunnerState = 'starting'
  /** What readers see has everything up to here. */
  position: Position = START
  error: string | null = null
  quarantined = 0
  /** There are views to read, of this version or of another. */
  readable = false
  /** Leases of this process were taken or lost. */
  onLease: () => void = () => undefined
  private target: Target | undefined
  /** Why this code cannot read what is in the log, whoever feeds the tables. */
  private outgrown: string | null = null
  /** The tables of which operators know that they are filled. */
  private announced: string | null = null
  /** Looks at the lock of a rebuild that another process had. */
  private refused = 0
  private readonly rests: Rests

  constructor(
    private readonly deps: RunnerDeps,
    readonly projection: Projection,
    /** Called after each step that readers can see. */
    private readonly onMove: () => void,
  ) {
    this.rests = new Rests(deps.restMs)
  }

  async run(signal: AbortSignal): Promise<void> {
    const work = async (gotOn: () => void) => {
      await this.settleAndFollow(signal, gotOn).catch(leaveToOtherProcess)
      gotOn()
    }
    await keepRunning(signal, work, (error) => this.complain(error, signal))
  }

  private async settleAndFollow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const { pool, log } = this.deps
    const assignment = await findOrMakeTarget(pool, log, this.projection)
    this.deps.leases.fills(this.projection.name, assignment.do === 'fill')
    if (assignment.live) this.moved(positionIn(await log.id(), assignment.live))
    if (assignment.do !== 'fill') this.waitsNoLonger()
    if (assignment.do === 'wait') return this.standBy(signal)
    const target =
      assignment.do === 'fill' ? await this.fill(assignment.target, assignment.live, signal) : assignment.target
    try {
      await this.followLive(target, signal, onProgress)
    } finally {
      this.deps.leases.giveBack(this.projection.name)
    }
  }

  /** For as long as readers see the target: whenever this process has the lease. */
  private async followLive(target: Target, signal: AbortSignal, onProgress: () => void): Promise<void> {
    while (!signal.aborted) {
      this.target = target
      await this.whilePaused(signal)
      const lease = await this.leased(signal)
      const now = await findTarget(this.deps.pool, target)
      if (now?.state !== 'live' || !(await this.isOfLog(now))) return
      if (lease)
        await this.follow(now, lease, onProgress).catch((error: unknown) => {
          if (error !== lease.reason) leaveToOtherProcess(error)
        })
    }
  }

  /** False once somebody has noted that the log was set back behind it. */
  private async isOfLog({ logId }: Target): Promise<boolean> {
    return logId === null || logId === (await this.deps.log.id())
  }

  /** Null, while another process has it, from time to time, and once the signal aborts. */
  private async leased(signal: AbortSignal): Promise<AbortSignal | null> {
    const { leases, pool, log } = this.deps
    const { name } = this.projection
    leases.want(name)
    const lease = leases.of(name)
    if (lease) return lease
    const taken = new AbortController()
    this.onLease = () => taken.abort()
    await pause(LEASE_LOOK_MS, signal, taken.signal)
    if (signal.aborted || taken.signal.aborted) return null
    this.state = 'following'
    this.error = this.outgrown
    const position = (await livePositions(pool, await log.id())).get(name)
    if (position) this.moved(position)
    return null
  }

  private async fill(target: Target, live: Target | undefined, signal: AbortSignal): Promise<Target> {
    this.state = 'filling'
    this.target = target
    const { report, ...deps } = this.deps
    const fields = { projection: target.name, version: target.version }
    // Operators see only new tables that replace live ones.
    const level = live ? 'info' : 'debug'
    if (this.announced !== schemaOf(target)) report(level, 'filling a read model', fields)
    this.announced = schemaOf(target)
    const fillDeps = { ...deps, projection: this.projection, signal }
    const filled = live ? await this.replace(fillDeps, target, live) : await fillAndSwap(fillDeps, target)
    report(level, 'a read model is live', fields)
    this.deps.leases.fills(target.name, false)
    return filled
  }

  /**
   * As a rebuild does, which may be at the same work; what differs between two versions is logged and stops nothing.
   */
  private async replace(deps: RebuildDeps & { projection: Projection }, target: Target, live: Target): Promise<Target> {
    const liveAt = live.logId === null ? undefined : live.position
    const options = { whatever: true, poison: 'as-live', liveAt } as const
    const work = alone(deps, target.name, (own) => {
      this.waitsNoLonger()
      return fillVerifyAndSwap(own, target, options)
    })
    const done = await work.catch((error: unknown) => this.whileAnother(error, deps.signal))
    const { name: projection, version } = target
    this.deps.report('info', `a new version was compared with live: ${verdictText(done.verdict)}`, {
      projection,
      version,
    })
    return done
  }

  private async whileAnother(error: unknown, signal: AbortSignal): Promise<never> {
    if (!(error instanceof RebuildRunning)) throw error
    if (++this.refused === LOOKS_IN_SILENCE)
      this.reportWait('a read model waits for another process that makes its tables')
    await pause(LOOK_AGAIN_MS, signal)
    throw new CheckpointConflict(error.message)
  }

  private waitsNoLonger(): void {
    if (this.refused >= LOOKS_IN_SILENCE) this.reportWait('a read model waits no longer for another process')
    this.refused = 0
  }

  private reportWait(text: string): void {
    this.deps.report('info', text, { projection: this.projection.name, version: this.projection.version })
  }

  private async whilePaused(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await listPaused(this.deps.pool)).has(this.projection.name)) {
      this.state = 'paused'
      await pause(PAUSE_LOOK_MS, signal)
    }
  }

  private async follow(target: Target, lease: AbortSignal, onProgress: () => void): Promise<void> {
    const how: Processing = { poison: 'quarantined', owes: true, until: lease }
    const processor = await BatchProcessor.of({ ...this.deps, projection: this.projection }, target, how)
    const logId = target.logId ?? (await this.deps.log.id())
    this.state = 'live'
    this.note(processor)
    this.moved(target.position)
    const onStep = () => {
      if (processor.target.position > this.position) onProgress()
      this.moved(processor.target.position)
      this.note(processor)
    }
    await this.deps.lanes.follow({ processor, logId, until: lease, onStep })
  }

  private note(processor: BatchProcessor): void {
    if (processor.quarantined > this.quarantined) this.reportQuarantine(processor.quarantined)
    this.quarantined = processor.quarantined
    this.error = null
  }

  private moved(position: Position): void {
    this.position = position
    this.readable = true
    this.onMove()
  }

  /** Another process runs newer code: its position is what readers see here too. */
  private async standBy(signal: AbortSignal): Promise<void> {
    this.state = 'outdated'
    this.error = null
    await pause(STAND_BY_LOOK_MS, signal)
  }

  private reportQuarantine(events: number): void {
    this.deps.report('error', 'events of a read model are in quarantine', { projection: this.projection.name, events })
  }

  private async complain(error: unknown, signal: AbortSignal): Promise<void> {
    const isNamed = error instanceof PoisonEvent || error instanceof TooMuchPoison
    const reason = isNamed ? error.message : reasonOf(error)
    if (reason !== this.error)
      this.deps.report('error', 'a read model is stuck', { projection: this.projection.name, reason })
    this.error = reason
    if (error instanceof TooNewEvent) this.outgrown = reason
    if (this.target) await noteError(this.deps.pool, this.target, reason).catch(() => undefined)
    const isOfEvent = isNamed || error instanceof TooNewEvent
    if (isOfEvent && this.state === 'filling') await pause(this.rests.after(reason), signal)
  }
}
