import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** What a query of one's own may ask of the driver's connection. */
type Connection = {
  readonly stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  sendCopyFail(why: string): void
  endCopyFrom(): void
}

/**
 * Takes what came at once, a row in a binary copy; it is valid during the call alone. With a promise the database waits for it;
 * the few that have arrived already are still handed on.
 */
export type TakeChunk = (chunk: Buffer) => unknown

/** Runs `copy … to stdout`; answers the number of rows. What `take` throws rejects it, once the rest has come. */
export const copyOut = (db: pg.ClientBase, text: string, take: TakeChunk): Promise<number> =>
  copy((settle) => db.query(new CopyOut(text, take, ...settle)))

/** Runs `copy … from stdin` on what `source` gives; answers the number of rows. What `source` throws undoes it. */
export const copyIn = (
  db: pg.ClientBase,
  text: string,
  source: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> => copy((settle) => db.query(new CopyIn(text, source, ...settle)))

type Settle = [resolve: (rows: number) => void, reject: (error: Error) => void]

const copy = (run: (settle: Settle) => unknown): Promise<number> =>
  new Promise((resolve, reject) => {
    run([resolve, reject])
  })

/** The driver's protocol for a query of one's own. */
abstract class Copy {
  private rows = 0
  protected failed: Error | undefined

  constructor(
    private readonly text: string,
    private readonly resolve: Settle[0],
    private readonly reject: Settle[1],
  ) {}

  submit(connection: Pick<Connection, 'query' | 'stream'>): void {
    connection.query(this.text)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0)
  }

  handleError(error: Error): void {
    this.failed ??= error
    this.reject(this.failed)
  }

  handleReadyForQuery(): void {
    if (this.failed) this.reject(this.failed)
    else this.resolve(this.rows)
  }
}

class CopyOut extends Copy {
  private stream: Duplex | undefined

  constructor(
    text: string,
    private readonly take: TakeChunk,
    ...settle: Settle
  ) {
    super(text, ...settle)
  }

  override submit(connection: Pick<Connection, 'query' | 'stream'>): void {
    this.stream = connection.stream
    super.submit(connection)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.failed) return
    try {
      const until = this.take(chunk)
      if (until instanceof Promise) this.waitFor(until)
    } catch (error) {
      this.failed = error as Error
    }
  }

  private waitFor(until: Promise<void>): void {
    const { stream } = this
    stream?.pause()
    void until.then(() => stream?.resume())
  }
}

class CopyIn extends Copy {
  constructor(
    text: string,
    private readonly source: Iterable<Buffer> | AsyncIterable<Buffer>,
    ...settle: Settle
  ) {
    super(text, ...settle)
  }

  handleCopyInResponse(connection: Connection): void {
    this.send(connection).catch((error: Error) => {
      this.failed = error
      connection.sendCopyFail('the source failed')
    })
  }

  private async send(connection: Connection): Promise<void> {
    for await (const chunk of this.source) {
      if (this.failed) return
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  }
}
