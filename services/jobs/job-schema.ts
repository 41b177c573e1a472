import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'

/** The library's own tables: who works on what. Nothing of it is in a backup, since rows of `app` show what is owed. */
export const SCHEMA = 'job'

/** For the library, whose lines would contain the message of whatever fails. */
export const silent = new Logger(() => () => undefined)

/** Brings the library's tables up to date; any number of starters may do so at once. */
export const makeJobSchema = (pgPool: pg.Pool): Promise<void> =>
  runMigrations({ pgPool, schema: SCHEMA, logger: silent, noHandleSignals: true })
