import pg from 'pg'
import { answeredInTime, CONNECT_MS } from './postgres/answered-in-time.ts'
import { createSilenceCheck, cut, limitStatements, PROBED, watchSilent } from './postgres/heard-connections.ts'

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
/** The same of a key, a snapshot, a checkpoint, a job: rows that are found at once, and that commands wait for. */
export const LOOK_UP_SILENT_MS = 8_000
/** Longer than between two looks: each connection begins with a question. */
export const KEPT_MS = 60_000
/** Beside those that take long. */
const LOOK_UPS_AT_ONCE = 8
/** After so long it is asked whether a statement that may take longer is still at work. */
const ASKED_AFTER_MS = 20_000
/**
 * The server ends a statement before its connection is cut here: it would wait for its lock on, and a new one with each that is
 * asked again, until Postgres takes nobody.
 */
const OF_SERVER = 3 / 4

type Config = pg.PoolConfig & { readonly Client?: (new () => pg.ClientBase) | undefined }

/** A pool whose new connections are answered, or fail; tests have them fail sooner. */
const open = (config: Config, silentMs: number) =>
  quiet(
    new pg.Pool({
      ...PROBED,
      ...config,
      Client: answeredInTime(config.Client as typeof pg.Client | undefined, Math.min(silentMs, CONNECT_MS)),
    }),
  )

/** For queries that are all short: one whose connection falls silent fails, and the next one gets a connection of its own. */
export function shortPool(config: pg.PoolConfig, silentMs: number = SILENT_MS): pg.Pool {
  const onConnect = (client: pg.ClientBase) => limitStatements(client, silentMs * OF_SERVER)
  const pool = open({ ...config, onConnect }, silentMs)
  watchSilent(pool, silentMs, cut)
  return pool
}

/** A connection alone for looks whether Postgres answers: one that nobody answers as it begins fails as well. */
export const lookPool = (config: pg.PoolConfig, silentMs: number = LOOK_UP_SILENT_MS): pg.Pool =>
  shortPool({ ...config, max: 1, connectionTimeoutMillis: silentMs, idleTimeoutMillis: KEPT_MS }, silentMs)

/**
 * For both: what `query` asks goes over the connections of a pool for short queries, and who takes a connection by `connect` may
 * have it be silent for as long as the server is at its statements.
 */
export function enginePool(
  config: pg.PoolConfig,
  silentMs: number = LOOK_UP_SILENT_MS,
  askedAfterMs: number = ASKED_AFTER_MS,
): pg.Pool {
  const short = shortPool({ ...config, max: LOOK_UPS_AT_ONCE, connectionTimeoutMillis: silentMs }, silentMs)
  const silence = createSilenceCheck(short)
  const pool = open({ ...config, onConnect: silence.learn }, silentMs)
  watchSilent(pool, askedAfterMs, silence.onSilent)
  const end = pool.end.bind(pool)
  return Object.assign(pool, {
    query: short.query.bind(short),
    end: async () => void (await Promise.all([short.end(), end()])),
  })
}
