import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Log } from '../../../eventstore/log.ts'
import { readWithPosition } from '../../../projections/engine/read-with-position.ts'
import type { ReadSchema } from '../../../projections/schema.ts'
import { preparingClient } from '../../../services/prepared.ts'

type Read = { readonly log: Pick<Log, 'id'>; readonly name: string; readonly table: string }

/** Readers of both kinds, plain and with their position, until they are stopped. */
export function startReaders(database: pg.ClientConfig, { log, name, table }: Read, lanes = 4) {
  const pool = new pg.Pool({ ...database, max: lanes, Client: preparingClient() })
  const db = new Kysely<ReadSchema>({ dialect: new PostgresDialect({ pool }) })
  const times: { at: number; ms: number }[] = []
  const errors: string[] = []
  let stopped = false
  const one = (trx: Kysely<ReadSchema>) => sql`select * from ${sql.table(`read.${table}`)} limit 20`.execute(trx)
  const lane = async (number: number) => {
    while (!stopped) {
      const at = performance.now()
      await (number % 2 ? readWithPosition(db, log, [name], one) : one(db)).catch((error: Error) =>
        errors.push(error.message),
      )
      times.push({ at, ms: performance.now() - at })
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
  return {
    times,
    errors,
    async stop(): Promise<void> {
      stopped = true
      await running
      await db.destroy()
    },
  }
}
