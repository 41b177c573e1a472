import pg from 'pg'

export type AppTable = { readonly name: string; readonly columns: readonly string[]; readonly bytes: number }

/** Counters in unlogged tables, migrations' own, what is made again from the log, and how often that was set back stay out. */
const TABLES = `
  select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
  from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
    and c.relname !~ '^(kysely_|projection|quarantine|snapshot$|set_back$)'
  order by c.relname`

/** One moment of a database, for as long as `work` takes. `first`: a statement that takes no snapshot. */
export async function atOneMoment<T>(
  database: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
  first?: string,
): Promise<T> {
  return connected(database, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    if (first) await client.query(first)
    // The first query takes the snapshot.
    await client.query('select 1')
    return work(client)
  })
}

/** A connection for as long as `work` takes, and no longer than until `signal`. It may wait for another meanwhile. */
export async function connected<T>(
  database: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = new pg.Client(database)
  client.on('error', () => undefined)
  await client.connect()
  const end = () => void client.end().catch(() => undefined)
  signal?.addEventListener('abort', end)
  try {
    await client.query('set idle_session_timeout = 0; set idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    signal?.removeEventListener('abort', end)
    await client.end()
  }
}

export async function listAppTables(client: pg.ClientBase): Promise<AppTable[]> {
  return (await client.query<AppTable & { columns: string[] }>(TABLES)).rows
}

export async function newestMigration(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    'select name from app.kysely_migration order by name desc limit 1',
  )
  return rows[0]!.name
}

/** Out of a table or of its partitions, into a table. */
export function copySql(schema: string, { name, columns }: Pick<AppTable, 'name' | 'columns'>, way: 'to' | 'from') {
  const [table, listed] = [
    `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`,
    columns.map(pg.escapeIdentifier),
  ]
  return way === 'to'
    ? `copy (select ${listed} from ${table}) to stdout (format binary)`
    : `copy ${table} (${listed}) from stdin (format binary)`
}
