import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type pg from 'pg'

/** What a query of one's own may ask of the driver's connection. */
type Wire = {
  readonly stream: NodeJS.EventEmitter & { pause(): void; resume(): void; readonly writableNeedDrain: boolean }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(why: string): void
}

/**
 * Runs `copy … to stdout` into `sink`, no faster than it takes; answers the number of rows. A sink that closes before
 * rejects it at once, and the connection is of no more use.
 */
export function copyOut(client: pg.ClientBase, text: string, sink: Writable): Promise<number> {
  return new Promise((resolve, reject) => {
    sink.once('close', () => reject(new Error('The copy was cut off.')))
    client.query(new CopyOut(text, sink, resolve, reject) as never)
  })
}

/** Runs `copy … from stdin` on what `source` gives; answers the number of rows. What `source` throws undoes it. */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, source, resolve, reject) as never)
  })
}

const rowsIn = (tag: string) => Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0)

/** The driver's protocol for a query of one's own. */
class CopyOut {
  private wire: Wire | undefined
  private waiting = false
  private rows = 0

  constructor(
    private readonly text: string,
    private readonly sink: Writable,
    private readonly resolve: (rows: number) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(wire: Wire): void {
    this.wire = wire
    wire.query(this.text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // The driver's buffer is used again.
    if (this.sink.write(Buffer.from(chunk)) || this.waiting || !this.wire) return
    const { stream } = this.wire
    this.waiting = true
    stream.pause()
    this.sink.once('drain', () => {
      this.waiting = false
      stream.resume()
    })
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsIn(text)
  }

  handleError(error: Error): void {
    this.reject(error)
  }

  handleReadyForQuery(): void {
    this.resolve(this.rows)
  }
}

class CopyIn {
  private rows = 0
  private failed: Error | undefined

  constructor(
    private readonly text: string,
    private readonly source: AsyncIterable<Buffer>,
    private readonly resolve: (rows: number) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(wire: Wire): void {
    wire.query(this.text)
  }

  handleCopyInResponse(wire: Wire): void {
    this.feed(wire).catch((error: Error) => {
      this.failed = error
      wire.sendCopyFail('the source failed')
    })
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = rowsIn(text)
  }

  handleError(error: Error): void {
    this.reject(this.failed ?? error)
  }

  handleReadyForQuery(): void {
    this.resolve(this.rows)
  }

  private async feed(wire: Wire): Promise<void> {
    for await (const chunk of this.source) {
      wire.sendCopyFromChunk(chunk)
      if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
    }
    wire.endCopyFrom()
  }
}
