import { once } from 'node:events'
import type { ServerWritableStream } from '@grpc/grpc-js'

/** The reader is gone: nothing is wrong and there is nobody to answer. */
export class ReaderGone extends Error {
  override name = 'ReaderGone'
}

/** The answering side of a streaming read: encoded frames in, at the reader's pace. */
export class Outlet {
  private readonly abort = new AbortController()

  constructor(private readonly call: ServerWritableStream<unknown, Buffer>) {
    const gone = () => this.abort.abort()
    call.once('cancelled', gone)
    call.once('close', gone)
  }

  /** Aborts when the reader cancels or its connection ends. */
  get signal(): AbortSignal {
    return this.abort.signal
  }

  /** Writes a frame. Answers a promise only when the reader is behind; await it before the next frame. */
  send(frame: Buffer): Promise<void> | undefined {
    if (this.call.cancelled || this.signal.aborted) throw new ReaderGone()
    return this.call.write(frame) ? undefined : this.drained()
  }

  /** Runs a wait that ends when the reader goes. */
  async until(wait: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    try {
      await wait(this.signal)
    } catch (error) {
      throw this.signal.aborted ? new ReaderGone() : error
    }
  }

  end(): void {
    this.call.end()
  }

  private drained(): Promise<void> {
    return this.until((signal) => once(this.call, 'drain', { signal }))
  }
}
