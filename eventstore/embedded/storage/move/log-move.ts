import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { HeardClient, type HeardConfig } from '../../../postgres/heard-client.ts'
import { NOTICED } from '../../../postgres/noticed.ts'
import { layoutOf } from '../layout.ts'
import { createSql } from '../partitions.ts'
import { SCAVENGE_LOCK } from '../scavenge-lock.ts'
import { copiedUpTo, copyRange, dropRange, isSame, nextRange, type Range, START } from './copy.ts'
import { type FreeBytes, keepRoom, NoRoomError, requireRoom, sized } from './disk-room.ts'
import { dropSingle, type SwitchOutcome } from './switch-over.ts'

/** Events in one transaction. */
const BATCH = 5_000
/** No more than the switch compares: both have the same time. */
const COMPARED_AT_ONCE = 5_000
const AGAIN_MS = 1_000
/** Each try keeps other readers waiting for a moment. */
const SWITCH_AGAIN_MS = 5_000
const PROGRESS_EVERY_MS = 10_000
const ROOM_AGAIN_MS = 600_000
const LOOK_EVERY_MS = 250
const DISK_FULL = '53100'

export type MoveSettings = {
  readonly database: HeardConfig
  readonly span: number
  readonly logLine: (line: string) => void
  /** Events in one transaction; a few thousand without. */
  readonly batch?: number | undefined
  /** As the disk has it, without. */
  readonly freeBytes?: FreeBytes | undefined
  /** Until it looks again for room on the disk; ten minutes without. */
  readonly roomAgainMs?: number | undefined
  /** Between two looks at the disk while it copies; a quarter of a second without. */
  readonly roomLookMs?: number | undefined
  /** What the one writer does in between: as `switchOver`. */
  readonly switchOver: (after: number, most: number) => Promise<SwitchOutcome>
}

/**
 * Moves a log from the single table to partitions while it is read and written: copies it in bounded transactions,
 * compares all of it, and has the writer switch. Every step can be interrupted; the next start resumes. Half of the time
 * is left to others. No scavenge runs meanwhile.
 */
export class LogMove {
  private readonly ended = new AbortController()
  private running: Promise<void> = Promise.resolve()
  private client: pg.Client | undefined
  private spoken = 0
  private lookedAt = 0

  constructor(private readonly settings: MoveSettings) {}

  start(): void {
    this.running = this.untilDone()
  }

  async stop(): Promise<void> {
    this.ended.abort()
    await this.client?.end().catch(() => undefined)
    await this.running
  }

  private async untilDone(): Promise<void> {
    while (!this.ended.signal.aborted) {
      try {
        return await this.connected((client) => this.move(client))
      } catch (error) {
        if (this.ended.signal.aborted) return
        const isReported = error instanceof NoRoomError
        if (!isReported) this.reportWait(error)
        await this.wait(isReported ? this.roomAgainMs : AGAIN_MS).catch(() => undefined)
      }
    }
  }

  private async connected(work: (client: HeardClient) => Promise<void>): Promise<void> {
    const client = new HeardClient(this.settings.database)
    this.client = client
    try {
      // `connect` does not settle where the client ends meanwhile.
      await Promise.race([client.connect(), once(client, 'end')])
      this.ended.signal.throwIfAborted()
      // The commit of the switch, which is not set so, takes everything before it to the disk.
      await client.query(`${NOTICED}; set synchronous_commit = off`)
      await work(client)
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  private async move(client: HeardClient): Promise<void> {
    // Looked at behind the lock: another server may have moved it meanwhile.
    await this.keepScavengesOut(client)
    if ((await layoutOf(client)) === 'single')
      await this.copyAndSwitch(client).catch((error) => this.giveBack(client, error))
    // As a drop of the copies it waits for whoever reads the table; all else is as long as its batch.
    await client.patiently(() => dropSingle(client))
  }

  /** What was copied goes where there is no room for the rest: the log wants the disk for itself. */
  private async giveBack(client: HeardClient, error: unknown): Promise<never> {
    if (!isNoRoom(error)) throw error
    const again = Math.round(this.roomAgainMs / 60_000)
    const why = `${messageOf(error)} Free some, or enlarge it; the server looks again in ${again} minutes.`
    const noRoom = new NoRoomError(why)
    // A backup reads the copies for long.
    this.reportWait(noRoom)
    await client.patiently(() => client.query('rollback; drop table if exists log.event_next'))
    throw noRoom
  }

  private reportWait(error: unknown): void {
    this.settings.logLine(`The move of the log to partitions waits: ${messageOf(error)}`)
  }

  private async copyAndSwitch(client: pg.Client): Promise<void> {
    const { left, known } = await requireRoom(client, this.settings.freeBytes)
    if (!known)
      this.settings.logLine(
        `The log moves to partitions, which takes ${sized(left)} free on the disk of Postgres. How much there is cannot be seen from here.`,
      )
    await client.query(createSql('log.event_next'))
    await this.copyFrom(client, await copiedUpTo(client))
    await this.compare(client, START)
    let after = await copiedUpTo(client)
    for (let busy = 0; ; ) {
      after = await this.copyFrom(client, after, true)
      const outcome = await this.settings.switchOver(after, this.batch)
      if (outcome === 'done') break
      if (outcome !== 'busy') continue
      if (busy++ === 0) this.settings.logLine('The log is read for long, for which the end of its move waits.')
      await this.wait(SWITCH_AGAIN_MS)
    }
    this.settings.logLine('The log has moved to partitions.')
  }

  private async keepScavengesOut(client: pg.Client): Promise<void> {
    const take = () => client.query('select pg_try_advisory_lock(hashtext($1)) as locked', [SCAVENGE_LOCK])
    while (!(await take()).rows[0].locked) await this.wait(AGAIN_MS)
  }

  /** Copies all but the last few, and answers up to where it came. What is copied behind the comparison is compared at once. */
  private async copyFrom(client: pg.Client, from: number, compared = false): Promise<number> {
    let after = from
    for (let range: Range | null; ; after = range.to) {
      range = await nextRange(client, after, this.batch)
      // The last few are for the switch: appends add to them as fast as they are copied.
      if (!range || range.events < this.batch) return after
      const startedAt = performance.now()
      await this.keepRoom(client)
      await this.copy(client, range)
      if (compared) await this.require(client, range)
      this.report(`The log moves to partitions: copied up to position ${range.to}.`)
      // Behind the comparison it is in a hurry: appends must not outrun it.
      await this.wait(compared ? 0 : performance.now() - startedAt)
    }
  }

  /** Asked for once a while: a look costs about as much as copying a few hundred events. */
  private async keepRoom(client: pg.Client): Promise<void> {
    if (performance.now() - this.lookedAt < (this.settings.roomLookMs ?? LOOK_EVERY_MS)) return
    await keepRoom(client, this.settings.freeBytes)
    this.lookedAt = performance.now()
  }

  private async compare(client: pg.Client, from: number): Promise<void> {
    const last = await copiedUpTo(client)
    for (let after = from; after < last; ) {
      const startedAt = performance.now()
      const next = await nextRange(client, after, COMPARED_AT_ONCE)
      const range = { after, to: Math.min(next?.to ?? last, last), events: 0 }
      if (!(await isSame(client, range))) await this.copyAgain(client, range)
      after = range.to
      this.report(`The log moves to partitions: compared up to position ${after}.`)
      await this.wait(performance.now() - startedAt)
    }
  }

  /** A release before this one may have scavenged between two starts. */
  private async copyAgain(client: pg.Client, range: Range): Promise<void> {
    this.settings.logLine(`Events up to ${range.to} differ from their copies, and are copied again.`)
    await this.copy(client, range, true)
    await this.require(client, range)
  }

  private async require(client: pg.Client, range: Range): Promise<void> {
    if (!(await isSame(client, range))) throw new Error(`The copies of events up to ${range.to} differ from them.`)
  }

  private async copy(client: pg.Client, range: Range, anew = false): Promise<void> {
    await client.query('begin')
    if (anew) await dropRange(client, range)
    await copyRange(client, range, this.settings.span)
    await client.query('commit')
  }

  private get roomAgainMs(): number {
    return this.settings.roomAgainMs ?? ROOM_AGAIN_MS
  }

  private get batch(): number {
    return this.settings.batch ?? BATCH
  }

  private report(line: string): void {
    if (Date.now() - this.spoken < PROGRESS_EVERY_MS) return
    this.spoken = Date.now()
    this.settings.logLine(line)
  }

  private async wait(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.ended.signal }).catch(() => undefined)
    this.ended.signal.throwIfAborted()
  }
}

/** Where the disk cannot be seen from here, Postgres alone knows that it is full. */
const isNoRoom = (error: unknown): boolean =>
  error instanceof NoRoomError || (error as Partial<pg.DatabaseError>).code === DISK_FULL

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
