import type pg from 'pg'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { type Log, openLog } from '../../eventstore/log.ts'
import type { Template } from './postgres.ts'

/** An embedded log that nothing was written to. */
export const logTemplate: Template = {
  name: 'log',
  migrate: async (database) => (await startLogServer({ database })).stop(),
}

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
