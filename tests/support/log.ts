import type pg from 'pg'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { type Log, openLog } from '../../eventstore/log.ts'

/** An embedded log server on a database, and a client of it. */
export type TestLog = { log: Log; connectionString: string; stop(): Promise<void> }

export async function startTestLog({ database }: { database: pg.ClientConfig }): Promise<TestLog> {
  const server = await startLogServer({ database })
  const log = openLog({ connectionString: server.connectionString })
  return {
    log,
    connectionString: server.connectionString,
    async stop() {
      await log.close()
      await server.stop()
    },
  }
}
