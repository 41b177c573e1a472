import pg from 'pg'
import { type Template, testDatabase } from './postgres.ts'

/** A database nobody else uses, empty or a copy of the template. `run` executes one statement over a connection of its own. */
export type FreshDatabase = {
  config: pg.ClientConfig
  run(text: string, values?: unknown[]): Promise<pg.QueryResult>
  drop(): Promise<void>
}

export async function freshDatabase(options: { template?: Template } = {}): Promise<FreshDatabase> {
  const { config, drop } = await testDatabase(options)
  return { config, run: (text, values) => runIn(config, text, values), drop }
}

/** One statement in a database, over a connection that lives as long as it. */
export async function runIn(config: pg.ClientConfig, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(config)
  await client.connect()
  return client.query(text, values).finally(() => client.end())
}
