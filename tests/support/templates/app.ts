import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrateToLatest } from '../../../migrations/index.ts'
import type { Template } from '../postgres.ts'

/** Schema `app` without a row. */
export const appTemplate: Template = {
  name: 'app',
  async migrate(config) {
    const pool = new pg.Pool({ ...config, max: 2 })
    // The template's connections may be closed from the other side while they end.
    pool.on('error', () => undefined)
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    await migrateToLatest(db).finally(() => db.destroy())
  },
}
