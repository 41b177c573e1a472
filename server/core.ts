import type pg from 'pg'
import { type Codec, createCodec } from '../eventstore/codec.ts'
import type { Dispatch, IsRepeat, LoadState } from '../eventstore/dispatch.ts'
import { createDispatch } from '../eventstore/dispatch.ts'
import { createFeed, type Feed } from '../eventstore/feed.ts'
import { createKeyRing, type KeyRing } from '../eventstore/keys.ts'
import { type Log, type LogOptions, openLog } from '../eventstore/log.ts'
import { createSnapshots } from '../eventstore/snapshots/snapshots.ts'
import { allProjections } from '../projections/all-projections.ts'
import { type ProjectionOverview, projectionStatus } from '../projections/engine/care/status.ts'
import { createHistoryReader, type HistoryReader } from '../projections/history/reader.ts'
import { admitKeys, announcementOf } from './keys/master-keys.ts'
import type { ProcessLockOptions } from './process-lock.ts'
import { masterKeysIn, type Secrets } from './secrets.ts'
import { openStorage, type Storage } from './storage.ts'

/** Where the two stores are, and the secrets that open them. */
export type Stores = {
  readonly database: pg.ClientConfig
  /** `esdb://…` */
  readonly log: string
  /** The database of the embedded log, where it is the log: read models are filled from its table. */
  readonly logTable?: pg.ClientConfig | undefined
  readonly secrets: Secrets
}

/** Log, keys and commands over the product's database: the basis of every role and tool. */
export type Core = {
  readonly database: pg.ClientConfig
  readonly storage: Storage
  readonly log: Log
  readonly feed: Feed
  readonly keys: KeyRing
  /** Of the members' own grids. */
  readonly gridKey: Buffer
  readonly codec: Codec
  readonly dispatch: Dispatch
  readonly loadState: LoadState
  readonly isRepeat: IsRepeat
  readonly history: HistoryReader
  /** The state of every read model. */
  readonly readModels: (now: () => Date) => Promise<ProjectionOverview[]>
  close(): Promise<void>
}

/** `onSnapshotFailed` gets why a snapshot could not be read or written. */
type CoreOptions = ProcessLockOptions & Pick<LogOptions, 'onBroken'> & { onSnapshotFailed?: (error: unknown) => void }

export async function openCore(
  { database, log: connectionString, secrets }: Stores,
  { onBroken, onSnapshotFailed, ...lock }: CoreOptions = {},
): Promise<Core> {
  const masterKey = masterKeysIn(secrets)
  const storage = await openStorage(database, { ...lock, name: announcementOf(masterKey) })
  const gridKey = await admitKeys(storage.pool, secrets).catch(async (error: unknown) => {
    await storage.close()
    throw error
  })
  const log = openLog({ connectionString, ...(onBroken && { onBroken }) })
  const feed = createFeed(log)
  const keys = createKeyRing(storage.pool, masterKey)
  const codec = createCodec(keys)
  const snapshots = createSnapshots({ pool: storage.pool, log, onFailed: onSnapshotFailed })
  return {
    database,
    storage,
    log,
    feed,
    keys,
    gridKey,
    codec,
    ...createDispatch({ log, codec, keys, snapshots }),
    readModels: (now) => projectionStatus({ pool: storage.pool, log, projections: allProjections, now }),
    history: createHistoryReader({ log, codec, keys, read: storage.read, pool: storage.pool }),
    async close() {
      await snapshots.close()
      await feed.close()
      await log.close()
      await storage.close()
    },
  }
}
