import type { WriteOutcome } from './records.ts'
import type { Storage } from './storage/storage.ts'
import { Tail } from './tail.ts'
import type { Write } from './writer/decide-write.ts'
import { Sequencer } from './writer/sequencer.ts'
import { stateFrom, type Visible, visibleOf } from './writer/stream-state.ts'

/** The log without its protocol: writes go through the sequencer, reads to the storage, followers to the tail. */
export class EventLog {
  readonly tail = new Tail()
  private readonly sequencer: Sequencer

  constructor(
    readonly storage: Storage,
    say: (line: string) => void,
  ) {
    this.sequencer = new Sequencer(storage, this.tail, say)
  }

  open(): Promise<void> {
    return this.sequencer.open()
  }

  ready(): boolean {
    return this.storage.writable()
  }

  get waitingWrites(): number {
    return this.sequencer.waiting
  }

  write(write: Write): Promise<WriteOutcome> {
    return this.sequencer.write(write)
  }

  /** What a reader may see of a stream at this moment. */
  async visible(stream: string): Promise<Visible> {
    const state = this.sequencer.remembered(stream) ?? stateFrom(await this.storage.summaryOf(stream))
    return visibleOf(stream, state, Date.now())
  }

  stopWriting(patienceMs: number): Promise<void> {
    return this.sequencer.close(patienceMs)
  }

  close(): Promise<void> {
    return this.storage.close()
  }
}
