import type { Socket } from 'node:net'
import pg from 'pg'

/**
 * Keeps a dropped connection from ending the process: an idle one is replaced by the next query, one that is in use, such
 * as between two statements of a transaction, fails its user's next query.
 */
export function quiet(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A query that waits so long without a byte of its answer waits for nobody: none of a page or a call takes as long. */
const SILENT_MS = 60_000
/** The same of a key, a snapshot, a checkpoint: rows that are found at once, and that commands wait for. */
const LOOK_UP_SILENT_MS = 8_000
/** Beside those that take long. */
const LOOK_UPS_AT_ONCE = 8
/** The limit is noticed so many times within itself. */
const LOOKS = 4

/** What node-postgres keeps of a connection, beyond its types. */
type Internals = { readonly connection: { readonly stream: Socket }; readonly readyForQuery: boolean }

/** For queries that are all short: one whose connection falls silent fails, and the next one gets a connection of its own. */
export const shortPool = (config: pg.PoolConfig, silentMs: number = SILENT_MS): pg.Pool =>
  cutSilent(quiet(new pg.Pool(config)), silentMs)

/**
 * For both: what `query` asks goes over the connections of a pool for short queries, and who takes a connection by `connect` may
 * have it be silent for as long as its statements take.
 */
export function enginePool(config: pg.PoolConfig, silentMs: number = LOOK_UP_SILENT_MS): pg.Pool {
  const short = shortPool({ ...config, max: LOOK_UPS_AT_ONCE, connectionTimeoutMillis: silentMs }, silentMs)
  const pool = quiet(new pg.Pool(config))
  const end = pool.end.bind(pool)
  return Object.assign(pool, {
    query: short.query.bind(short),
    end: async () => void (await Promise.all([short.end(), end()])),
  })
}

/**
 * Cuts connections that are silent in a query, so that a network or a machine that is gone without a word does not keep the
 * whole pool.
 */
function cutSilent(pool: pg.Pool, silentMs: number): pg.Pool {
  const inUse = new Map<pg.PoolClient, { read: number; at: number }>()
  let looking: NodeJS.Timeout | undefined
  const look = () => {
    for (const [client, heard] of inUse) {
      const { connection, readyForQuery } = client as unknown as Internals
      const read = connection.stream.bytesRead
      if (readyForQuery || read !== heard.read) inUse.set(client, { read, at: performance.now() })
      else if (performance.now() - heard.at >= silentMs)
        connection.stream.destroy(new Error('The connection to Postgres is silent.'))
    }
    if (inUse.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
  pool.on('acquire', (client) => {
    const { connection } = client as unknown as Internals
    inUse.set(client, { read: connection.stream.bytesRead, at: performance.now() })
    looking ??= setInterval(look, silentMs / LOOKS).unref()
  })
  pool.on('release', (_error, client) => void inUse.delete(client))
  pool.on('remove', (client) => void inUse.delete(client))
  return pool
}
