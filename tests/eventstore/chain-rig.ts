import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { clientSource } from '../../eventstore/chain/client-source.ts'
import { type ChainDeps, extendChain } from '../../eventstore/chain/extend.ts'
import { createSeals } from '../../eventstore/chain/seals.ts'
import { tableSource } from '../../eventstore/chain/table-source.ts'
import { type VerifyOptions, verifyChain } from '../../eventstore/chain/verify.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { freshDatabase, runIn } from '../support/fresh-database.ts'
import { logTemplate } from '../support/log.ts'
import { appTemplate } from '../support/templates/app.ts'

/** A log, a database of the product, and the chain between them, as a running product has them. */
export async function startChainRig() {
  const [logDatabase, appDatabase] = await Promise.all([
    freshDatabase({ template: logTemplate }),
    freshDatabase({ template: appTemplate }),
  ])
  let server = await startLogServer({ database: logDatabase.config, logLine: () => undefined })
  const pool = new pg.Pool(appDatabase.config)
  // A connection of an ended pool may still be closing when its database is dropped.
  pool.on('error', () => undefined)
  const log = openLog({ connectionString: server.connectionString })
  const masterKey = randomBytes(32)
  const seals = createSeals(masterKey)
  const keys = createKeyRing(pool, masterKey)
  const revisions = new Map<string, number>()
  let now = new Date()
  const source = tableSource(logDatabase.config)
  const deps: ChainDeps = { pool, seals, source, now: () => now }

  return {
    log,
    pool,
    masterKey,
    seals,
    keys,
    codec: createCodec(keys),
    source,
    deps,
    logDatabase,
    appDatabase,
    byClient: clientSource(log),
    address: () => server.connectionString,
    /** Events of any form: the chain knows nothing of the product's. */
    async write(stream: string, count: number): Promise<void> {
      const from = revisions.get(stream) ?? -1
      const events = Array.from({ length: count }, (_, index) => ({
        id: randomUUID(),
        type: 'Noted',
        data: { text: `${stream} ${from + 1 + index} ✓` },
        metadata: { schema: 1 },
      }))
      await log.append(stream, from < 0 ? 'no_stream' : from, events)
      revisions.set(stream, from + count)
    },
    seal: (overrides: Partial<ChainDeps> = {}) => extendChain({ ...deps, ...overrides }),
    verify: (options?: VerifyOptions, overrides: Partial<ChainDeps> = {}) =>
      verifyChain({ ...deps, ...overrides }, options),
    /** Behind the log's back. */
    tamper: (sql: string, values?: unknown[]) => runIn(logDatabase.config, sql, values),
    forge: (sql: string, values?: unknown[]) => runIn(appDatabase.config, sql, values),
    clock(at: Date) {
      now = at
    },
    async restart() {
      const { port } = server
      await server.stop()
      server = await startLogServer({ database: logDatabase.config, port, logLine: () => undefined })
    },
    async stop() {
      await log.close()
      await server.stop()
      await pool.end()
      await Promise.all([logDatabase.drop(), appDatabase.drop()])
    },
  }
}
export type ChainRig = Awaited<ReturnType<typeof startChainRig>>
