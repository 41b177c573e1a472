import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { AppSchema } from './app-schema.ts'
import { preparingClient } from './prepared.ts'
import { shortPool } from './quiet-pool.ts'

/** A handle on schema `app`; it names no other schema. */
export type AppDb = Kysely<AppSchema>

/** In the transaction that the handle is of, or else in one of its own. */
export const inTransaction = <T>(db: AppDb, work: (tx: AppDb) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)

const INT8 = 20
const NUMERIC = 1700

/** Counts and sums as numbers; an integer beyond exact numbers is an error, never a rounded one. */
export const numberTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return toInteger
    return oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}

function toInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond exact numbers`)
  return value
}

/** Opens schema `app`. `destroy()` the handle to close its connections. */
export function openAppDb(config: pg.PoolConfig): AppDb {
  const options = '-c search_path=app'
  const pool = shortPool({ max: 10, ...config, options, types: numberTypes, Client: preparingClient() })
  return new Kysely<AppSchema>({ dialect: new PostgresDialect({ pool }) })
}
