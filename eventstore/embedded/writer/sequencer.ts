import type { WriteOutcome } from '../records.ts'
import { type Storage, StorageLostError } from '../storage/storage.ts'
import type { Tail } from '../tail.ts'
import { decideWrite } from './decide-write.ts'
import type { StreamState } from './stream-state.ts'
import { UndecidedError } from './undecided.ts'
import type { Write } from './write.ts'
import { decidingStreams, WriteDraft, WriterMemory } from './writer-memory.ts'

const GROUP_EVENTS = 256
const RETRY_FIRST_MS = 50
const RETRY_MOST_MS = 2000
const LOOK_EVERY_MS = 50
const REPORT_AGAIN_MS = 600_000

type Waiting = { write: Write; done: (outcome: WriteOutcome) => void; fail: (error: Error) => void }

/**
 * The one writer. Writes that wait together are decided in order and share one commit; each is answered after that
 * commit, refusals included, because they may rest on an event of the same group. Positions follow the order of
 * commits, since a group is begun only after the one before has ended.
 */
export class Sequencer {
  private readonly memory = new WriterMemory()
  private queue: Waiting[] = []
  private underWay: { group: Waiting[]; since: number } | undefined
  private clock: NodeJS.Timeout | undefined
  private running = false
  private closed = false
  private idle: (() => void)[] = []
  private patient: { count: number; proceed: () => void }[] = []
  private readonly reported = new Map<string, number>()

  constructor(
    private readonly storage: Storage,
    private readonly tail: Tail,
    private readonly logLine: (line: string) => void,
    private readonly writeTimeoutMs: number,
  ) {
    storage.onLost(() => this.run())
  }

  /** Takes the right to write; throws what the storage throws. */
  async open(): Promise<void> {
    const last = await this.storage.open()
    await this.memory.relearn(this.storage)
    this.tail.restart(last)
  }

  get waiting(): number {
    return this.queue.length
  }

  /** Whether a commit takes so long that what is written now may not be answered in time. */
  get stalled(): boolean {
    return this.underWay !== undefined && performance.now() - this.underWay.since > this.writeTimeoutMs / 2
  }

  /** Resolves once fewer than `count` writes wait, or none is taken any more. */
  fewerWaiting(count: number): Promise<void> {
    return new Promise((proceed) => {
      this.patient.push({ count, proceed })
      this.letProceed()
    })
  }

  /** Last committed state of a stream where it is remembered. */
  remembered(stream: string): StreamState | undefined {
    return this.memory.streams.get(stream)
  }

  /**
   * Resolves once the outcome is durable, or when the time of the write is over: then what only waited is not done, and
   * of what was under way the outcome is not known. Rejects with `StorageLostError` when the storage broke, and with
   * `UndecidedError` when it could not be read for this one alone.
   */
  write(write: Write): Promise<WriteOutcome> {
    return new Promise((done, fail) => {
      if (this.closed) return fail(new StorageLostError('The log server is stopping.'))
      const deadline = Math.min(write.deadline, Date.now() + this.writeTimeoutMs)
      this.queue.push({ write: { ...write, deadline }, done, fail })
      if (!this.clock) this.lookLater()
      this.run()
    })
  }

  /** Takes no more writes and resolves when those under way have ended, or after `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    this.closed = true
    this.letProceed()
    if (!this.running) return
    let patience: NodeJS.Timeout | undefined
    const ended = new Promise<void>((resolve) => {
      this.idle.push(resolve)
      patience = setTimeout(resolve, patienceMs)
    })
    await ended.finally(() => clearTimeout(patience))
    for (const { fail } of this.queue.splice(0)) fail(new StorageLostError('The log server is stopping.'))
  }

  /** Answers the writes whose time is over, and looks again while there are others. */
  private endLate(): void {
    const now = Date.now()
    const isLate = ({ write }: Waiting) => write.deadline <= now
    const late = this.queue.filter(isLate)
    if (late.length) this.queue = this.queue.filter((one) => !isLate(one))
    const group = this.underWay?.group ?? []
    for (const { done } of [...late, ...group.filter(isLate)]) done({ ok: false, reason: 'timed-out' })
    this.letProceed()
    this.clock = undefined
    if (this.queue.length || group.length) this.lookLater()
  }

  private lookLater(): void {
    this.clock = setTimeout(() => this.endLate(), LOOK_EVERY_MS).unref()
  }

  private run(): void {
    if (this.running) return
    this.running = true
    // One turn of the event loop lets the writes of many calls gather into one group.
    setImmediate(() => void this.drain())
  }

  private async drain(): Promise<void> {
    while (!this.closed && !this.storage.writable()) await this.recover()
    while (this.queue.length && this.storage.writable()) await this.commitGroup(this.nextGroup())
    this.running = false
    if (!this.closed && (this.queue.length || !this.storage.writable())) return this.run()
    for (const resolve of this.idle.splice(0)) resolve()
  }

  private nextGroup(): Waiting[] {
    let count = 0
    let events = 0
    while (count < this.queue.length && events < GROUP_EVENTS) events += this.queue[count++]!.write.events.length || 1
    const group = this.queue.splice(0, count)
    this.letProceed()
    return group
  }

  private letProceed(): void {
    const isFree = ({ count }: { count: number }) => this.closed || this.queue.length < count
    const free = this.patient.filter(isFree)
    this.patient = this.patient.filter((one) => !isFree(one))
    for (const { proceed } of free) proceed()
  }

  private async commitGroup(group: Waiting[]): Promise<void> {
    const draft = new WriteDraft(this.memory, this.storage, this.tail.last)
    const outcomes: (WriteOutcome | UndecidedError)[] = []
    this.underWay = { group, since: performance.now() }
    try {
      await this.load(group, draft)
      for (const { write } of group) outcomes.push(await this.decided(write, draft))
      if (draft.events.length) await this.storage.commit(draft.events)
    } catch (error) {
      for (const { fail } of group) fail(new StorageLostError(`The outcome of the write is unknown: ${reason(error)}`))
      this.underWay = undefined
      return this.recover()
    }
    this.underWay = undefined
    draft.keep()
    if (draft.events.length) this.tail.push(draft.events)
    group.forEach(({ done, fail }, index) => {
      const outcome = outcomes[index]!
      if (outcome instanceof UndecidedError) fail(outcome)
      else done(outcome)
    })
  }

  /** All at once; where one of them cannot be read, each write asks for its own as it is decided. */
  private async load(group: Waiting[], draft: WriteDraft): Promise<void> {
    const streams = group.flatMap(({ write }) => decidingStreams(write.stream, write.kind === 'delete'))
    await draft.load(streams).catch((error) => {
      if (!this.storage.writable()) throw error
    })
  }

  /** One that cannot be decided, over a connection that writes on, is no matter of the others. */
  private decided(write: Write, draft: WriteDraft): Promise<WriteOutcome | UndecidedError> {
    return decideWrite(write, draft, this.storage, Date.now()).catch((error) => {
      if (!(error instanceof UndecidedError) || !this.storage.writable()) throw error
      this.report(error.message)
      return error
    })
  }

  /** Senders get no reason, and send again for long: each once in ten minutes. */
  private report(why: string): void {
    const now = Date.now()
    for (const [known, since] of this.reported) if (now - since > REPORT_AGAIN_MS) this.reported.delete(known)
    if (this.reported.has(why)) return
    this.reported.set(why, now)
    this.logLine(why)
  }

  /** Takes the right to write again, and the truth from the storage: the failed commit may or may not be in it. */
  private async recover(): Promise<void> {
    this.logLine('The connection that writes the log is lost. Reconnecting.')
    for (let delay = RETRY_FIRST_MS; !this.closed; delay = Math.min(delay * 2, RETRY_MOST_MS)) {
      try {
        await this.open()
        return this.logLine('The log can be written again.')
      } catch (error) {
        this.logLine(`The log cannot be written: ${reason(error)}`)
        await new Promise((resolve) => setTimeout(resolve, delay))
      }
    }
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
