import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { Feed } from '../../eventstore/feed.ts'
import { commitSteps } from './apply.ts'
import type { BatchProcessor } from './batch-processor.ts'
import type { Decode } from './decoding.ts'
import { inParts } from './in-parts.ts'
import { workingBetween } from './owed/working-between.ts'

export type LanesDeps = { readonly pool: pg.Pool; readonly feed: Pick<Feed, 'follow'>; readonly decode: Decode }

/** Follows until `until` aborts. `onStep` is called after each batch, whether it was applied or stopped on its way. */
export type Follower = {
  readonly processor: BatchProcessor
  readonly logId: string
  readonly until: AbortSignal
  readonly onStep: () => void
}

type Member = Follower & { readonly leave: (error?: unknown) => void }
/** How long the others of a lane wait for one that takes a batch alone. */
const SLOW_MS = 40

/** Members at one position; `busy` while they are between two. */
type Lane = { position: Position; busy: boolean; readonly members: Set<Member>; readonly emptied: AbortController }

/**
 * Live read models follow the log in lanes: those that stand at the same place share a transaction for each batch. One that
 * cannot go on with the others goes alone, and joins them again where they meet.
 */
export class Lanes {
  private readonly lanes = new Set<Lane>()

  constructor(
    private readonly deps: LanesDeps,
    private readonly signal: AbortSignal,
  ) {}

  /** From the target's position on. Throws what stops this follower, and the others go on. */
  async follow(follower: Follower): Promise<void> {
    const { until } = follower
    let onLeave = () => {}
    const left = new Promise<void>((resolve, reject) => {
      const leave = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      const member: Member = { ...follower, leave }
      onLeave = () => this.dropFromIdle(member)
      until.addEventListener('abort', onLeave, { once: true })
      this.place(member)
    })
    // A lease outlives many that follow under it.
    await left.finally(() => until.removeEventListener('abort', onLeave))
  }

  private place(member: Member): void {
    const { position } = member.processor.target
    const lane = member.processor.mayOwe ? undefined : this.idleAt(position)
    if (member.until.aborted) member.leave()
    else if (lane) lane.members.add(member)
    else this.open(position, [member])
  }

  /** One whose lane is busy leaves after the batch. */
  private dropFromIdle(member: Member): void {
    for (const lane of this.lanes) if (!lane.busy && lane.members.has(member)) this.drop(lane, member)
  }

  private drop(lane: Lane, member: Member, error?: unknown): void {
    lane.members.delete(member)
    if (lane.members.size === 0) lane.emptied.abort()
    member.leave(error)
  }

  private idleAt(position: Position, besides?: Lane): Lane | undefined {
    return [...this.lanes].find((lane) => lane !== besides && !lane.busy && lane.position === position)
  }

  private open(position: Position, members: readonly Member[]): void {
    const lane: Lane = { position, busy: false, members: new Set(members), emptied: new AbortController() }
    this.lanes.add(lane)
    void this.run(lane)
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .then((error) => {
        this.lanes.delete(lane)
        for (const member of lane.members) member.leave(error)
      })
  }

  private async run(lane: Lane): Promise<void> {
    const signal = AbortSignal.any([this.signal, lane.emptied.signal])
    const coming = this.deps.feed.follow(lane.position, signal)
    for await (const batch of workingBetween(coming, (next) => this.payPiece(lane, next))) {
      lane.busy = true
      for (const part of inParts(batch)) if (lane.members.size > 0) await this.take(lane, part)
      lane.position = batch[batch.length - 1]!.position
      lane.busy = false
      for (const member of lane.members) if (member.until.aborted) this.drop(lane, member)
      // An idle lane only waits for the next batch; one that owes rows works until then.
      const owes = [...lane.members].some(({ processor }) => processor.mayOwe)
      const other = owes ? undefined : this.idleAt(lane.position, lane)
      if (other) {
        for (const member of lane.members) other.members.add(member)
        lane.members.clear()
      }
      if (lane.members.size === 0) return
    }
  }

  /** Of what erasures have left to later; false when nothing is left. */
  private async payPiece(lane: Lane, next: Promise<unknown>): Promise<boolean> {
    let isLeft = false
    for (const member of [...lane.members]) {
      try {
        isLeft = (await member.processor.payPiece(next)) || isLeft
      } catch (error) {
        this.drop(lane, member, error)
      }
    }
    return isLeft
  }

  private async take(lane: Lane, batch: readonly StoredEvent[]): Promise<void> {
    const members = [...lane.members]
    if (members.length === 1) return void (await this.takeAlone(lane, members[0]!, batch))
    if (await this.takeTogether(members, batch).catch(() => false)) return
    // Each repeats the batch alone, so that only the one at fault stops and a slow one delays nobody.
    const waiting = new Set(members)
    const taken = members.map(async (member) => {
      const stays = await this.takeAlone(lane, member, batch)
      waiting.delete(member)
      if (stays && !lane.members.has(member)) this.place(member)
    })
    await Promise.race([Promise.all(taken), wait(SLOW_MS, undefined, { ref: false })])
    for (const member of waiting) lane.members.delete(member)
  }

  private async takeTogether(members: readonly Member[], batch: readonly StoredEvent[]): Promise<boolean> {
    const { decode, pool } = this.deps
    await decode(batch.filter((event) => members.some(({ processor }) => processor.concerns(event))))
    const steps = await Promise.all(members.map(({ processor, logId }) => processor.step(batch, logId)))
    const all = steps.filter((step) => step !== null)
    await commitSteps(pool, all)
    for (const [at, step] of steps.entries()) if (step) members[at]!.processor.settle(step)
    for (const { onStep } of members) onStep()
    return true
  }

  /** False where it was stopped, and left. */
  private async takeAlone(lane: Lane, member: Member, batch: readonly StoredEvent[]): Promise<boolean> {
    try {
      await member.processor.take(batch, member.logId)
      member.onStep()
      return true
    } catch (error) {
      // Readers see also what came before an event that stops it.
      member.onStep()
      this.drop(lane, member, error)
      return false
    }
  }
}
