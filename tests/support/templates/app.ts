import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrateToLatest } from '../../../migrations/index.ts'
import { makeJobSchema } from '../../../services/jobs/job-schema.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import type { Template } from '../postgres.ts'

/** Schemas `app` and `job` without a row. */
export const appTemplate: Template = {
  name: 'app',
  async migrate(config) {
    const pool = quiet(new pg.Pool({ ...config, max: 2 }))
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    try {
      await migrateToLatest(db)
      await makeJobSchema(pool)
    } finally {
      await db.destroy()
    }
  },
}
