import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
import { moveWithin } from '../../../eventstore/embedded/storage/move/switch-over.ts'
import { CREATE_SINGLE } from '../../../eventstore/embedded/storage/single-table.ts'
import { copyIn } from '../../../eventstore/postgres-copy.ts'
import { migrateTo, migrateToLatest, requireKnown } from '../../../migrations/index.ts'
import type { Clock } from '../../../services/clock.ts'
import type { ErasedLedger } from '../../../services/erased-ledger.ts'
import { type Locked, whileLocked } from '../../../services/postgres/lock-connection.ts'
import { createQueue } from '../../../services/queue.ts'
import { dropPlan } from '../../demo/plan.ts'
import { withoutProcesses } from '../../process-lock.ts'
import { endAccess } from './access.ts'
import { idOfRestored, noteRestored } from './another-life.ts'
import { askBeside } from './beside.ts'
import { copyHashed } from './files.ts'
import { beginRestoring, endRestoring, isFolderHalfRestored, isHalfRestored } from './half-restored.ts'
import { removeLost } from './lost-media.ts'
import {
  BackupDamaged,
  type BackupFile,
  type BackupTable,
  type Manifest,
  readManifest,
  verifyFiles,
} from './manifest.ts'
import { connected, copySql } from './snapshot.ts'
import { referredFirst } from './table-order.ts'

export type RestoreTarget = {
  readonly app: pg.ClientConfig
  readonly log: pg.ClientConfig
  readonly dataDir: string
  readonly masterKey: MasterKey
  readonly ledger: ErasedLedger
  readonly now: Clock
  /** Leaves a notice for every member, which the product mails. */
  readonly notify?: boolean
  /** Replaces what is there. */
  readonly force: boolean
  /** `what` is the step; bytes so far, of so many. */
  readonly at?: (what: 'Checking' | 'Restoring', done: number, total: number) => void
}

/**
 * `erased`: keys in the backup that were destroyed after it was made, and did not come back. `lost`: uploads that it has
 * not every file of, whose rows did not either. `unasked`: backups beside it that did not answer who was erased, by folder.
 */
export type Restored = {
  readonly manifest: Manifest
  readonly erased: number
  readonly lost: number
  readonly unasked: readonly string[]
}

/** The target contains a product, and no flag allows to replace it. */
export class TargetNotEmpty extends Error {
  override name = 'TargetNotEmpty'
}

const FILES_AT_ONCE = 4
const LOCK_NAME = 'log-server'
/** As the projection engine names the schemas that it fills. */
const OWN_SCHEMAS = `nspname in ('app', 'read', 'job') or nspname ~ '^p_[a-z0-9_]+_v[0-9]+(_[0-9]+)?$'`

/**
 * Puts a backup in the place of what the target holds. Nothing is touched before it is known that the backup can come back: that this version reads it, and that each file has its hash.
 * Read models are not in a backup: whoever starts the product next fills them from the log. Destroyed keys stay
 * destroyed: those of the ledger, of this backup, of newer ones beside it, and of the target that goes.
 */
export async function restoreBackup(target: RestoreTarget, folder: string): Promise<Restored> {
  const manifest = await readManifest(folder, target.masterKey)
  requireKnown(manifest.migration)
  const total = sizeOf(manifest)
  if (!target.force && !(await isEmpty(target)) && !(await wasInterrupted(target)))
    throw new TargetNotEmpty('There is a product already. Add --force to put the backup in its place.')
  return whileLocked(target.log, lockLog, (log) =>
    withoutProcesses(target.app, async (alone) => {
      await verifyFiles(folder, manifest, (done) => target.at?.('Checking', done, total))
      return replace(target, folder, manifest, { log, alone })
    }),
  )
}

/** Throws where a log server runs; none can start while the connection lasts. */
async function lockLog(log: pg.Client): Promise<void> {
  const { rows } = await log.query<{ locked: boolean }>('select pg_try_advisory_lock(hashtext($1)) as locked', [
    LOCK_NAME,
  ])
  if (!rows[0]!.locked) throw new Error('A log server runs on this database. Stop it first.')
}

type Locks = { readonly log: Locked; readonly alone: Locked }

/** `signal` ends once others are no longer kept out: no step may begin, and no rows be committed, after it. */
type Step = {
  readonly folder: string
  readonly manifest: Manifest
  readonly at: (bytes: number) => void
  readonly signal: AbortSignal
}

async function replace(
  target: RestoreTarget,
  folder: string,
  manifest: Manifest,
  { log, alone }: Locks,
): Promise<Restored> {
  const { ledger, dataDir } = target
  const signal = AbortSignal.any([log.signal, alone.signal])
  // On disk before the first row goes: from here on an interrupted restore forgets nobody who was to be forgotten.
  const { subjects, unasked } = await newlyErased(target, folder)
  await ledger.add(subjects)
  const erased = await ledger.read()
  signal.throwIfAborted()
  await beginRestoring(dataDir, alone.client)
  const total = sizeOf(manifest)
  let done = 0
  const at = (bytes: number) => {
    done += bytes
    target.at?.('Restoring', done, total)
  }
  const step = { folder, manifest, at, signal }
  const back = await connected(target.app, (app) => restoreRows(app, target.app, step, erased), signal)
  // Brought up to date for what a backup of an older version has no table for.
  await makeSchema(target.app, 'latest')
  const lost = await connected(target.app, (app) => settleRows(app, target, manifest), signal)
  const logId = await restoreLog(log.client, step)
  if (logId) await connected(target.app, (app) => noteRestored(app, logId), signal)
  await restoreMedia(dataDir, step)
  dropPlan(dataDir)
  signal.throwIfAborted()
  await endRestoring(dataDir, alone.client)
  return { manifest, erased: back, lost, unasked }
}

/** Answers how many uploads did not come back. */
async function settleRows(app: pg.Client, { now, notify = true }: RestoreTarget, manifest: Manifest): Promise<number> {
  const restoredAt = now()
  await endAccess(app, { backupAt: new Date(manifest.madeAt), restoredAt, notify })
  return removeLost(app, manifest, restoredAt)
}

const sizeOf = ({ files }: Manifest) => files.reduce((sum, { bytes }) => sum + bytes, 0)

async function isEmpty({ app, log, dataDir }: RestoreTarget): Promise<boolean> {
  const rows = (database: pg.ClientConfig, table: string) =>
    connected(database, async (client) => {
      const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
      return rows[0]!.there && (await client.query(`select from ${table} limit 1`)).rowCount !== 0
    })
  const files = await readdir(join(dataDir, 'media')).catch(() => [])
  return !(await rows(app, 'app.credential')) && !(await rows(log, 'log.event')) && files.length === 0
}

async function wasInterrupted({ app, dataDir }: RestoreTarget): Promise<boolean> {
  return isFolderHalfRestored(dataDir) || (await connected(app, isHalfRestored))
}

/** What this backup, its newer neighbours and the target itself know, and the ledger does not. */
async function newlyErased(
  { app, ledger, masterKey }: RestoreTarget,
  folder: string,
): Promise<{ subjects: string[]; unasked: string[] }> {
  const known = await ledger.read()
  const { erased: found, unasked } = await askBeside(folder, masterKey)
  await connected(app, async (client) => {
    const { rows: table } = await client.query<{ there: boolean }>(
      `select to_regclass('app.destroyed_key') is not null as there`,
    )
    if (!table[0]!.there) return
    const { rows } = await client.query<{ subject: string }>('select subject from app.destroyed_key')
    for (const { subject } of rows) found.add(subject)
  })
  return { subjects: [...found].filter((subject) => !known.has(subject)), unasked }
}

async function restoreRows(
  app: pg.Client,
  database: pg.ClientConfig,
  step: Step,
  erased: ReadonlySet<string>,
): Promise<number> {
  const { manifest, signal } = step
  signal.throwIfAborted()
  const { rows: schemas } = await app.query<{ name: string }>(
    `select nspname as name from pg_namespace where ${OWN_SCHEMAS}`,
  )
  for (const { name } of schemas) await app.query(`drop schema ${pg.escapeIdentifier(name)} cascade`)
  await makeSchema(database, manifest.migration)
  await app.query('begin')
  const tables = manifest.tables.filter(({ schema }) => schema === 'app')
  for (const table of await referredFirst(app, tables)) await load(app, table, step)
  await followIds(app)
  // In the rows' own transaction: no moment at which a destroyed key could be read.
  const { rowCount } = await app.query(
    `update app.subject_key set wrapped = '' where subject = any($1) and wrapped <> ''`,
    [[...erased]],
  )
  await app.query(
    `insert into app.destroyed_key (subject, destroyed_at) select s, now() from unnest($1::text[]) s
     where s in (select subject from app.subject_key) on conflict do nothing`,
    [[...erased]],
  )
  signal.throwIfAborted()
  await app.query('commit')
  return rowCount ?? 0
}

/** The tables as they were when the backup was made, or as they are now. */
async function makeSchema(database: pg.ClientConfig, migration: string | 'latest'): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ ...database, max: 2 }) }) })
  try {
    await (migration === 'latest' ? migrateToLatest(db) : migrateTo(db, migration))
  } finally {
    await db.destroy()
  }
}

/** Numbers that the database gives out go on behind those that came in. */
async function followIds(app: pg.Client): Promise<void> {
  const { rows } = await app.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'app' and is_identity = 'YES'`,
  )
  for (const { table, column } of rows) {
    const name = `app.${pg.escapeIdentifier(table)}`
    await app.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(1, (select max(${pg.escapeIdentifier(column)}) from ${name})))`,
      [name, column],
    )
  }
}

/** A backup has the log as one table, whichever layout it was made of. Answers the id of the log. */
async function restoreLog(log: pg.Client, step: Step): Promise<string | null> {
  const { manifest, signal } = step
  signal.throwIfAborted()
  await log.query('begin')
  await log.query('drop schema if exists log cascade')
  await log.query(CREATE_SINGLE)
  for (const table of manifest.tables) if (table.schema === 'log') await load(log, table, step)
  const logId = await idOfRestored(log)
  await moveWithin(log)
  signal.throwIfAborted()
  await log.query('commit')
  return logId
}

async function load(client: pg.Client, table: BackupTable, { folder, at }: Step): Promise<void> {
  const source = createReadStream(join(folder, table.path)) as AsyncIterable<Buffer>
  const rows = await copyIn(client, copySql(table.schema, table, 'from'), counted(source, at))
  if (rows !== table.rows) throw new BackupDamaged(`${table.path} gave ${rows} rows instead of ${table.rows}.`)
}

async function* counted(source: AsyncIterable<Buffer>, at: Step['at']): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    yield chunk
    at(chunk.length)
  }
}

async function restoreMedia(dataDir: string, { folder, manifest, at, signal }: Step): Promise<void> {
  signal.throwIfAborted()
  const [old, fresh] = [join(dataDir, 'media'), join(dataDir, 'media.restoring')]
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  const inTurn = createQueue(FILES_AT_ONCE)
  const copy = async ({ path, bytes }: BackupFile) => {
    signal.throwIfAborted()
    await copyHashed(join(folder, path), join(fresh, path.slice('media/'.length)))
    at(bytes)
  }
  const media = manifest.files.filter(({ path }) => path.startsWith('media/'))
  await Promise.all(media.map((file) => inTurn(() => copy(file))))
  signal.throwIfAborted()
  await rm(old, { recursive: true, force: true })
  await rename(fresh, old)
}
