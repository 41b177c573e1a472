import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { readWithPosition } from '../../projections/engine/read-with-position.ts'
import type { ReadSchema } from '../../projections/schema.ts'
import { preparingClient } from '../../services/prepared.ts'

export type Reads = { readonly times: readonly { at: number; ms: number }[]; readonly errors: readonly string[] }

/** Readers of both kinds, plain and with their position, until they are stopped. */
export function startReaders(database: pg.ClientConfig, name: string, table: string, lanes = 4) {
  const pool = new pg.Pool({ ...database, max: lanes, Client: preparingClient() })
  const db = new Kysely<ReadSchema>({ dialect: new PostgresDialect({ pool }) })
  const times: { at: number; ms: number }[] = []
  const errors: string[] = []
  let stopped = false
  const one = (trx: Kysely<ReadSchema>) =>
    sql`select * from ${sql.table(`read.${table}`)} order by last_at desc limit 20`.execute(trx)
  const lane = async (number: number) => {
    while (!stopped) {
      const at = performance.now()
      await (number % 2 ? readWithPosition(db, [name], one) : one(db)).catch((error: Error) =>
        errors.push(error.message),
      )
      times.push({ at, ms: performance.now() - at })
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
  return {
    times,
    async stop(): Promise<Reads> {
      stopped = true
      await running
      await db.destroy()
      return { times, errors }
    },
  }
}
