import type { Socket } from 'node:net'
import pg from 'pg'
import { CONNECT_MS } from './noticed.ts'

/** `silentMs`: over a connection in a query nothing may come or go for so long; half a minute without. */
export type HeardConfig = pg.ClientConfig & { readonly silentMs?: number | undefined }

const SILENT_MS = 30_000
/** For statements over much of the log, or that wait for who reads it: they send nothing until they are done. */
const LONG_MS = 1_800_000
/** How long a connection may take to end. */
const CLOSE_MS = 1_000

/** What node-postgres keeps of a connection, beyond its types. */
type Internals = { readonly connection: { readonly stream: Socket }; readonly readyForQuery: boolean }
const internalsOf = (client: pg.Client) => client as unknown as Internals

/**
 * A connection that no network keeps waiting for ever: a new one that nobody answers fails, one that falls silent in a query is cut,
 * and so is one whose close is not answered. Its question fails, and whoever asked it opens another.
 */
export class HeardClient extends pg.Client {
  silentMs: number

  constructor(config: HeardConfig = {}) {
    super({
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_MS,
      ...config,
      // A pool hides the password of its options.
      password: config.password,
    })
    this.silentMs = config.silentMs ?? SILENT_MS
    this.on('error', () => undefined)
    this.once('connect', () => watch(this))
  }

  /** What is asked meanwhile may be silent for long. */
  async patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { silentMs } = this
    this.hearFor(LONG_MS)
    return ask().finally(() => this.hearFor(silentMs))
  }

  private hearFor(silentMs: number): void {
    this.silentMs = silentMs
    internalsOf(this).connection.stream.setTimeout(silentMs)
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const late = setTimeout(() => cut(this), CLOSE_MS).unref()
    this.once('end', () => clearTimeout(late))
    return callback ? super.end(callback) : super.end()
  }
}

const cut = (client: pg.Client): void =>
  void internalsOf(client).connection.stream.destroy(new Error('The connection to Postgres is silent.'))

function watch(client: HeardClient): void {
  const { stream } = internalsOf(client).connection
  const bytes = () => stream.bytesRead + stream.bytesWritten
  stream.setTimeout(client.silentMs)
  // A listener that is given with the time hears one stretch alone.
  stream.on('timeout', () => {
    const before = bytes()
    // What has come while this process stood still is taken first.
    setImmediate(() => {
      // The next question begins its own time.
      if (internalsOf(client).readyForQuery) return
      // One that is paused waits for us.
      if (bytes() !== before || stream.isPaused()) stream.setTimeout(client.silentMs)
      else cut(client)
    })
  })
}
