import pg from 'pg'

/** The databases of one server. */
export type Databases = {
  /** For `new pg.Client` and `new pg.Pool`; plain JSON, so that it can be handed to another process. */
  clientConfig(database: string): pg.ClientConfig
  /** Without `template` a database that exists is fine; with it the name must be free. */
  createDatabase(name: string, template?: string): Promise<void>
  /** Closes its connections first; a database that does not exist is fine. */
  dropDatabase(name: string): Promise<void>
}

// duplicate_database, and what Postgres answers when two make it in the same moment.
const DUPLICATE_CODES = ['42P04', '23505']

/** `server` is how to connect, without a database; its user may create databases. */
export function databasesAt(server: pg.ClientConfig): Databases {
  const clientConfig = (database: string): pg.ClientConfig => ({ ...server, database })
  const run = (text: string, values?: string[]) => once(clientConfig('postgres'), text, values)
  return {
    clientConfig,
    createDatabase: async (name, template) => {
      const quoted = pg.escapeIdentifier(name)
      if (template !== undefined) {
        await run(`create database ${quoted} template ${pg.escapeIdentifier(template)} strategy wal_log`)
        return
      }
      const existing = await run('select from pg_database where datname = $1', [name])
      if (existing.rowCount) return
      await run(`create database ${quoted} template template0`).catch((error: { code?: string }) => {
        if (!DUPLICATE_CODES.includes(error.code ?? '')) throw error
      })
    },
    dropDatabase: async (name) => {
      await run(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    },
  }
}

async function once(config: pg.ClientConfig, text: string, values: string[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
