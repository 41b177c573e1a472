import type { Socket } from 'node:net'
import type pg from 'pg'

/** A connection's limits at the server, where a machine that is gone, and a network without an end, are noticed within half a minute. */
export const NOTICED =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 30000'
/** The same at this side of one that is idle. */
export const PROBED = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
/** So long the server may take to learn them. */
const LEARNT_MS = 8_000

const SELF =
  'select pid, extract(epoch from backend_start)::text as since from pg_stat_activity where pid = pg_backend_pid()'
/** Not one that waits for what we send, or for us to take what it sends. Where activities are not tracked its state is not known. */
const AT_WORK = `select from pg_stat_activity where pid = $1 and extract(epoch from backend_start)::text = $2
  and state in ('active', 'disabled') and wait_event_type is distinct from 'Client'`
const END = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and extract(epoch from backend_start)::text = $2`

type Backend = { readonly pid: number; readonly since: string }

/** What node-postgres keeps of a connection, beyond its types. */
type Internals = { readonly connection: { readonly stream: Socket }; readonly readyForQuery: boolean }
const internalsOf = (client: pg.ClientBase) => client as unknown as Internals

/** Asks what a new connection begins with: nobody watches it yet. */
const begin = (client: pg.ClientBase, text: string): Promise<unknown> =>
  client.query({ text: `${NOTICED}; ${text}`, query_timeout: LEARNT_MS } as pg.QueryConfig)

/** The server of a new connection ends a statement that takes longer. */
export const limitStatements = (client: pg.ClientBase, statementMs: number): Promise<unknown> =>
  begin(client, `set statement_timeout = ${Math.floor(statementMs)}`)

/** The limit is noticed so many times within itself. */
const LOOKS = 4

/** Calls `onSilent` for connections in a query over which nothing has come or gone for so long, again and again. */
export function watchSilent(
  pool: pg.Pool,
  silentMs: number,
  onSilent: (client: pg.PoolClient, bytes: number) => void,
): void {
  const inUse = new Map<pg.PoolClient, { bytes: number; at: number }>()
  let looking: NodeJS.Timeout | undefined
  const look = () => {
    const now = performance.now()
    for (const [client, heard] of inUse) {
      const { connection, readyForQuery } = internalsOf(client)
      const bytes = bytesOf(client)
      // One that is paused waits for us.
      if (readyForQuery || bytes !== heard.bytes || connection.stream.isPaused()) inUse.set(client, { bytes, at: now })
      else if (now - heard.at >= silentMs) onSilent(client, bytes)
    }
    if (inUse.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
  pool.on('acquire', (client) => {
    inUse.set(client, { bytes: bytesOf(client), at: performance.now() })
    looking ??= setInterval(look, silentMs / LOOKS).unref()
  })
  pool.on('release', (_error, client) => void inUse.delete(client))
  pool.on('remove', (client) => void inUse.delete(client))
}

function bytesOf(client: pg.ClientBase): number {
  const { stream } = internalsOf(client).connection
  return stream.bytesRead + stream.bytesWritten
}

/** Ends what waits for an answer; a query of its own would wait behind it. */
export const cut = (client: pg.ClientBase): void =>
  void internalsOf(client).connection.stream.destroy(new Error('The connection to Postgres is silent.'))

/**
 * For statements that may take as long as they take: where a connection is silent, another one (`ask`) is asked what its server is at.
 * Where that has nothing left to do, twice, what it sent has not arrived: it is ended on both sides, and so are its locks.
 */
export function createSilenceCheck(ask: Pick<pg.Pool, 'query'>) {
  const backends = new WeakMap<pg.ClientBase, Backend>()
  const suspects = new WeakMap<pg.ClientBase, number>()
  const asking = new WeakSet<pg.ClientBase>()
  async function check(client: pg.PoolClient, bytes: number): Promise<void> {
    const { pid, since } = backends.get(client)!
    if ((await ask.query(AT_WORK, [pid, since])).rowCount === 1) return void suspects.delete(client)
    // Its answer may have been under way meanwhile.
    if (bytesOf(client) !== bytes) return
    if (suspects.get(client) !== bytes) return void suspects.set(client, bytes)
    // Asked again with the next look, for as long as nobody answers: once it is cut here nobody looks at it any more.
    await ask.query(END, [pid, since])
    cut(client)
  }
  return {
    /** Of a new connection, which is its server. */
    async learn(client: pg.ClientBase): Promise<void> {
      const answers = (await begin(client, SELF)) as pg.QueryResult<Backend>[]
      backends.set(client, answers[answers.length - 1]!.rows[0]!)
    },
    /** Where nobody answers it is asked again with the next look. */
    onSilent(client: pg.PoolClient, bytes: number): void {
      if (asking.has(client)) return
      asking.add(client)
      check(client, bytes)
        .catch(() => undefined)
        .finally(() => asking.delete(client))
    },
  }
}
