import { isMetastream, subjectOf, TOMBSTONE, type WriteOutcome } from './records.ts'
import type { Storage } from './storage/storage.ts'
import { Tail } from './tail.ts'
import { Sequencer } from './writer/sequencer.ts'
import { type StreamState, stateFrom, type Visible, visibleOf } from './writer/stream-state.ts'
import type { Write } from './writer/write.ts'

/** As long as EventStoreDB gives a write to be prepared and committed. */
const WRITE_TIMEOUT_MS = 4_000
const ALIVE_WITHIN_MS = 1_000

/** The log without its protocol: writes go through the sequencer, reads to the storage, followers to the tail. */
export class EventLog {
  readonly tail = new Tail()
  private readonly sequencer: Sequencer

  constructor(
    readonly storage: Storage,
    logLine: (line: string) => void,
    writeTimeoutMs = WRITE_TIMEOUT_MS,
  ) {
    this.sequencer = new Sequencer(storage, this.tail, logLine, writeTimeoutMs)
  }

  open(): Promise<void> {
    return this.sequencer.open()
  }

  ready(): boolean {
    return this.storage.writable() && !this.sequencer.stalled
  }

  /** Whether it is ready, and the storage answers its writer and its readers soon. */
  async alive(): Promise<boolean> {
    if (!this.ready()) return false
    let patience: NodeJS.Timeout | undefined
    const silent = new Promise<boolean>((resolve) => {
      patience = setTimeout(() => resolve(false), ALIVE_WITHIN_MS)
    })
    return Promise.race([this.storage.alive(), silent]).finally(() => clearTimeout(patience))
  }

  get waitingWrites(): number {
    return this.sequencer.waiting
  }

  /** Resolves once fewer than `count` writes wait, or none is taken any more. */
  fewerWaiting(count: number): Promise<void> {
    return this.sequencer.fewerWaiting(count)
  }

  write(write: Write): Promise<WriteOutcome> {
    return this.sequencer.write(write)
  }

  /** What a reader may see of a stream at this moment. The metadata of an ended stream have ended with it. */
  async visible(stream: string): Promise<Visible> {
    const visible = visibleOf(stream, await this.state(stream), Date.now())
    if (!isMetastream(stream) || (await this.state(subjectOf(stream))).last !== TOMBSTONE) return visible
    return { ...visible, deleted: true }
  }

  stopWriting(patienceMs: number): Promise<void> {
    return this.sequencer.close(patienceMs)
  }

  close(): Promise<void> {
    return this.storage.close()
  }

  private async state(stream: string): Promise<StreamState> {
    return this.sequencer.remembered(stream) ?? stateFrom(stream, await this.storage.summaryOf(stream))
  }
}
