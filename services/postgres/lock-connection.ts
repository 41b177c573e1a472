import { Socket } from 'node:net'
import pg from 'pg'
import { NOTICED } from './heard-connections.ts'

const CONNECT_MS = 10_000
const CLOSE_MS = 1_000
const PROBE_AFTER_MS = 10_000

/** Takes the lock over a connection of its own, or throws why it is refused. */
export type Take = (client: pg.Client) => Promise<void>

/** `lost` resolves with the reason once the connection has ended. `close` lets go, within a second even of a silent server. */
export type LockConnection = { readonly client: pg.Client; readonly lost: Promise<string>; close(): Promise<void> }

/** What work does under a lock: over the lock's own connection, and until `signal` ends with the loss of it. */
export type Locked = { readonly client: pg.Client; readonly signal: AbortSignal }

/** Connects and takes a lock, which lasts as long as the connection. An attempt ends with `signal`, or after `withinMs`. */
export async function holdLock(
  database: pg.ClientConfig,
  take: Take,
  signal?: AbortSignal,
  withinMs?: number,
): Promise<LockConnection> {
  signal?.throwIfAborted()
  const socket = new Socket()
  const cut = () => void socket.destroy()
  const late = withinMs === undefined ? undefined : setTimeout(cut, withinMs)
  signal?.addEventListener('abort', cut)
  try {
    const locked = await connect(database, socket)
    try {
      // The connection has nothing to do but to be there.
      const text = `${NOTICED}; set idle_session_timeout = 0`
      await locked.client.query({ text, query_timeout: CONNECT_MS } as pg.QueryConfig)
      await take(locked.client)
      signal?.throwIfAborted()
    } catch (error) {
      await locked.close()
      throw error
    }
    return locked
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', cut)
  }
}

/** Runs `work` while it has the lock; rejects as soon as its connection is lost. */
export async function whileLocked<T>(
  database: pg.ClientConfig,
  take: Take,
  work: (locked: Locked) => Promise<T>,
): Promise<T> {
  const { client, lost, close } = await holdLock(database, take)
  const losing = new AbortController()
  const { signal } = losing
  const refused = lost.then((why) => {
    losing.abort(new Error(`The connection that keeps others out was lost: ${why}`))
    throw signal.reason
  })
  refused.catch(() => undefined)
  try {
    return await Promise.race([work({ client, signal }), refused])
  } finally {
    await close()
  }
}

async function connect(database: pg.ClientConfig, socket: Socket): Promise<LockConnection> {
  const client = new pg.Client({
    ...database,
    stream: () => socket,
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
    connectionTimeoutMillis: CONNECT_MS,
  })
  let why: string | undefined
  client.on('error', ({ message }) => {
    why ??= message
  })
  const lost = new Promise<string>((resolve) => client.once('end', () => resolve(why ?? 'it was closed.')))
  await client.connect().catch((error: unknown) => {
    socket.destroy()
    throw error
  })
  let closing: Promise<void> | undefined
  return {
    client,
    lost,
    close() {
      closing ??= letGo(client, socket)
      return closing
    },
  }
}

async function letGo(client: pg.Client, socket: Socket): Promise<void> {
  const late = setTimeout(() => socket.destroy(), CLOSE_MS)
  // Ending the connection lets go as well, but a moment later.
  await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
  await client.end().catch(() => undefined)
  clearTimeout(late)
}
