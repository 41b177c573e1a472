import type pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type AppDb, openAppDb } from '../../../services/app-db.ts'
import type { Limits } from '../../../services/limits/limits.ts'
import { gridKeyOf } from '../../../services/nearby/publication.ts'
import { type TestDatabase, testDatabase } from '../../support/postgres.ts'
import { appTemplate } from '../../support/templates/app.ts'

export type TestApp = { readonly db: AppDb; readonly config: pg.ClientConfig }

/** A migrated database for a file of tests; ready once its `beforeAll` ran. */
export function appDatabase(): TestApp {
  const opened: { db?: AppDb; database?: TestDatabase } = {}
  beforeAll(async () => {
    opened.database = await testDatabase({ template: appTemplate })
    opened.db = openAppDb(opened.database.config)
  })
  afterAll(async () => {
    await opened.db?.destroy()
    await opened.database?.drop()
  })
  return {
    get db() {
      if (!opened.db) throw new Error('The database is not ready.')
      return opened.db
    },
    get config() {
      if (!opened.database) throw new Error('The database is not ready.')
      return opened.database.config
    },
  }
}

/** A clock that a test sets. */
export function testClock(start = '2026-03-01T12:00:00Z') {
  let at = new Date(start).getTime()
  const now = () => new Date(at)
  return Object.assign(now, {
    pass(ms: number): void {
      at += ms
    },
  })
}

export const MASTER_KEY = Buffer.alloc(32, 7)
export const GRID_KEY = gridKeyOf(MASTER_KEY)
/** Of how often a location is set where none is kept. */
export const NO_LIMITS: Pick<Limits, 'take'> = { take: async () => ({ ok: true }) }
