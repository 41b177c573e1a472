import { Socket } from 'node:net'
import pg from 'pg'
import { keepRunning } from '../eventstore/retry.ts'
import { NOTICED } from '../services/postgres/heard-connections.ts'
import { type Bus, BusMessage } from './bus.ts'

export const CHANNEL = 'letsbuzz_live'
/** Postgres takes payloads below 8,000 bytes. */
const PAYLOAD_BYTES = 7_900
/** Words kept while the connection is away; older ones are stale by then. */
const KEPT = 200
const CONNECT_MS = 2_000
const CLOSE_MS = 1_000

/** How often its connection is asked whether it is there, and how long an answer to anything may take; lower in tests. */
type Beats = { readonly beatMs?: number; readonly answerMs?: number }

/**
 * A bus over LISTEN and NOTIFY for nodes that share a Postgres, on a connection of its own, never inside a transaction
 * that writes: commits that notify wait for one another. Messages sent while the connection is down are lost, as
 * signals may be. A connection that falls silent is left, and another one made.
 */
export function createPostgresBus(config: pg.ClientConfig, logLine: (line: string) => void, beats: Beats = {}): Bus {
  return new PostgresBus(config, logLine, beats)
}

class PostgresBus implements Bus {
  private readonly seats = new Set<(message: BusMessage) => void>()
  private readonly stopping = new AbortController()
  private readonly running: Promise<void>
  private client: pg.Client | undefined
  private readonly unsent: string[] = []
  private sending = false
  private lost = () => {}

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly logLine: (line: string) => void,
    private readonly beats: Beats,
  ) {
    this.running = keepRunning(
      this.stopping.signal,
      (gotOn) => this.listen(gotOn),
      (error) => this.logLine(`realtime: the bus has no connection: ${(error as Error).name}`),
    )
  }

  join(listener: (message: BusMessage) => void) {
    this.seats.add(listener)
    return {
      send: (message: BusMessage) => {
        for (const seat of this.seats) if (seat !== listener) seat(message)
        this.publish(message)
      },
      leave: () => void this.seats.delete(listener),
    }
  }

  async close(): Promise<void> {
    this.stopping.abort()
    this.lost()
    await this.running
  }

  /** Each message carries its sender, so that Postgres' echo to the sender is known. */
  private publish(message: BusMessage): void {
    const payload = JSON.stringify({ by: this.name, message })
    if (Buffer.byteLength(payload) > PAYLOAD_BYTES) return
    this.unsent.push(payload)
    if (this.unsent.length > KEPT) this.unsent.shift()
    void this.flush()
  }

  private readonly name = crypto.randomUUID()

  private async flush(): Promise<void> {
    if (this.sending) return
    this.sending = true
    const { client } = this
    try {
      while (client && client === this.client && this.unsent.length > 0) {
        const payloads = this.unsent.splice(0, KEPT)
        await client.query('select pg_notify($1, word) from unnest($2::text[]) as word', [CHANNEL, payloads])
      }
    } catch {
      if (client === this.client) this.lost()
    } finally {
      this.sending = false
    }
  }

  private hear(payload: string | undefined): void {
    const { by, message } = parsed(payload)
    const known = BusMessage.safeParse(message)
    if (by === this.name || !known.success) return
    for (const seat of this.seats) seat(known.data)
  }

  /** For as long as one connection lasts. */
  private async listen(gotOn: () => void): Promise<void> {
    const { beatMs = 10_000, answerMs = 8_000 } = this.beats
    const socket = new Socket()
    const client = new pg.Client({
      ...this.config,
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: answerMs,
    })
    let beating: NodeJS.Timeout | undefined
    const ended = new Promise<void>((resolve) => {
      this.lost = resolve
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    try {
      client.on('notification', ({ payload }) => this.hear(payload))
      await client.connect()
      await client.query(`${NOTICED}; listen ${CHANNEL}`)
      this.client = client
      void this.flush()
      // One that is closed as soon as it is there is no better than none.
      beating = setInterval(() => client.query('select').then(gotOn, this.lost), beatMs)
      await ended
      if (!this.stopping.signal.aborted) this.logLine('realtime: the bus lost its connection, and makes another')
    } finally {
      this.client = undefined
      clearInterval(beating)
      const late = setTimeout(() => socket.destroy(), CLOSE_MS)
      await client.end().catch(() => undefined)
      clearTimeout(late)
    }
  }
}

/** Anybody who may use the database can notify. */
function parsed(payload = '{}'): { by?: string; message?: unknown } {
  try {
    return Object(JSON.parse(payload))
  } catch {
    return {}
  }
}
