import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { createSnapshots, noSnapshots } from '../../eventstore/snapshots/snapshots.ts'
import { freshDatabase, runIn } from '../support/fresh-database.ts'
import { logTemplate } from '../support/log.ts'
import type { Template } from '../support/postgres.ts'

const KEY_TABLES = `create schema app;
  create table app.subject_key (subject text primary key, wrapped bytea not null, created_at timestamptz default now());
  create table app.destroyed_key (subject text primary key, destroyed_at timestamptz not null)`
const keysTemplate: Template = { name: 'keys', migrate: async (config) => void (await runIn(config, KEY_TABLES)) }

/** `every`: snapshots so many events apart, in the database of keys. */
type ProcessOptions = { every?: number; cacheWeight?: number; onFailed?: (error: unknown) => void }

/** A log of its own, with keys, codec and dispatch, as a process has them. */
export async function startRig(template: Template = keysTemplate) {
  const [logDatabase, appDatabase] = await Promise.all([
    freshDatabase({ template: logTemplate }),
    freshDatabase({ template }),
  ])
  const server = await startLogServer({ database: logDatabase.config })
  const pool = new pg.Pool(appDatabase.config)
  // A connection of an ended pool may still be closing when its database is dropped.
  pool.on('error', () => undefined)
  const log = openLog({ connectionString: server.connectionString })
  const masterKey = randomBytes(32)
  const process = ({ every, onFailed, cacheWeight }: ProcessOptions = {}) => {
    const keys = createKeyRing(pool, masterKey)
    const codec = createCodec(keys)
    const snapshots = every === undefined ? noSnapshots : createSnapshots({ pool, log, every, onFailed })
    const weight = cacheWeight === undefined ? {} : { cacheWeight }
    return { keys, codec, snapshots, ...createDispatch({ log, codec, keys, snapshots, ...weight }) }
  }
  return {
    log,
    server,
    pool,
    logDatabase,
    ...process(),
    /** Another process' view of the same log: keys and folded streams of its own. */
    process,
    async stop() {
      await log.close()
      await server.stop()
      await pool.end()
      await Promise.all([logDatabase.drop(), appDatabase.drop()])
    },
  }
}
export type Rig = Awaited<ReturnType<typeof startRig>>

export const member = (name: string) => idFrom('test member', name) as MemberId
export const as = (actor: string, commandId: string = randomUUID()) => ({ commandId, actor })
