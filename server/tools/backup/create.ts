import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type MasterKey, masterKeysOf } from '../../../domain/shared/master-key.ts'
import { KEEP_LAID } from '../../../eventstore/chain/table-source.ts'
import type { Clock } from '../../../services/clock.ts'
import type { ErasedLedger } from '../../../services/erased-ledger.ts'
import type { Locked } from '../../../services/postgres/lock-connection.ts'
import { createQueue } from '../../../services/queue.ts'
import { requireKeyInUse } from '../../keys/master-keys.ts'
import { withoutRestore } from '../../process-lock.ts'
import { copyToSink } from './copy.ts'
import { copyHashed, flush, hashFile, writeHashed } from './files.ts'
import {
  type BackupFile,
  type BackupTable,
  ERASED,
  MANIFEST,
  type Manifest,
  manifestText,
  SECRETS,
} from './manifest.ts'
import { type AppTable, atOneMoment, copySql, listAppTables, newestMigration } from './snapshot.ts'
import {
  lockFolder,
  nameBackup,
  openWorkingFolder,
  realFolder,
  requireNew,
  requireWhole,
  rethrowLost,
  type WorkingFolder,
} from './working-folder.ts'

export type BackupSource = {
  readonly app: pg.ClientConfig
  /** Of the embedded log. */
  readonly log: pg.ClientConfig
  readonly dataDir: string
  readonly masterKey: MasterKey
  readonly ledger: ErasedLedger
  readonly now: Clock
  /** Puts the secrets of the data folder beside what they seal. */
  readonly withSecrets?: boolean
  /** Bytes so far, of about so many. */
  readonly at?: (done: number, total: number) => void
}

/** `missing`: files that were removed while the backup was made. */
export type Backup = { readonly manifest: Manifest; readonly missing: number } & Pick<
  WorkingFolder,
  'cleared' | 'stuck'
>

const LOG_COLUMNS = ['position', 'stream', 'revision', 'id', 'type', 'json', 'created', 'data', 'metadata']
/** Of the one table or of every partition. */
const LOG_BYTES = `select coalesce(sum(pg_table_size(oid)), 0) as bytes from pg_class
  where relnamespace = 'log'::regnamespace and relkind = 'r' and relname <> 'stream'`
/**
 * Read after the log, so that no sealed event comes without its key, no message without its picture, and no address that is
 * somebody's in the log without its id.
 */
const LATE = ['address', 'media', 'media_form', 'subject_key', 'destroyed_key']
const FILES_AT_ONCE = 4
const MEDIA_FILES = `select id from app.media where deleted_at is null
  union all select f.file from app.media_form f join app.media m on m.id = f.media where m.deleted_at is null order by 1`
const MEDIA_BYTES = `select coalesce(sum(bytes), 0) as bytes
  from (select bytes from app.media union all select bytes from app.media_form) files`

/**
 * Backs a product up while it runs: rows at one moment, the log at the same moment or an instant later, then keys
 * and media. The folder appears whole or not at all. Throws when it is there already, cannot be made or is being made,
 * while a restore is at work, and `WrongMasterKey` unless the product seals with the first key: no restore could open what
 * it holds.
 */
export function createBackup(source: BackupSource, named: string): Promise<Backup> {
  return withoutRestore(source.app, async (locked) => {
    const folder = await realFolder(named)
    await lockFolder(locked.client, folder)
    await requireNew(folder)
    // Under the lock: a rotation takes no key out of use meanwhile.
    await requireKeyInUse(locked.client, masterKeysOf(source.masterKey))
    return make(source, folder, locked)
  })
}

async function make(source: BackupSource, folder: string, { client, signal }: Locked): Promise<Backup> {
  const { path: work, ...left } = await openWorkingFolder(client, folder)
  const making = new Making(source, work)
  try {
    // The rows are of a moment after this one: nothing that is lost with them was done before it.
    const madeAt = source.now().toISOString()
    // Behind its snapshot a log that moves would be another table, with nothing in it.
    const rowsAndLog = (app: pg.Client) => atOneMoment(source.log, (log) => making.rowsAndLog(app, log), KEEP_LAID)
    const parts = await atOneMoment(source.app, rowsAndLog)
    const missing = await atOneMoment(source.app, (app) => making.keysAndMedia(app))
    await making.besides()
    const manifest: Manifest = { format: 1, madeAt, ...parts, ...making.lists }
    await writeFile(join(work, MANIFEST), manifestText(source.masterKey, manifest), { mode: 0o600 }).catch(
      rethrowLost(work),
    )
    await flush(join(work, MANIFEST))
    await requireWhole(work, manifest.files)
    signal.throwIfAborted()
    await nameBackup(work, folder)
    return { manifest, missing, ...left }
  } catch (error) {
    await rm(work, { recursive: true, force: true })
    throw error
  }
}

/** One backup in the making: what it has written so far. */
class Making {
  readonly lists = { tables: [] as BackupTable[], files: [] as BackupFile[] }
  private done = 0
  private total = 0

  constructor(
    private readonly source: BackupSource,
    private readonly work: string,
  ) {}

  async rowsAndLog(app: pg.Client, log: pg.Client): Promise<Pick<Manifest, 'position' | 'migration'>> {
    const tables = await listAppTables(app)
    this.total = await this.expected(app, log, tables)
    for (const table of tables) if (!LATE.includes(table.name)) await this.table(app, 'app', table)
    await this.table(log, 'log', { name: 'event', columns: LOG_COLUMNS, bytes: 0 })
    const { rows } = await log.query<{ last: string | null }>('select max(position) as last from log.event')
    return { position: Number(rows[0]?.last ?? 0), migration: await newestMigration(app) }
  }

  /** Answers how many files were gone. */
  async keysAndMedia(app: pg.Client): Promise<number> {
    for (const table of await listAppTables(app)) if (LATE.includes(table.name)) await this.table(app, 'app', table)
    const { rows } = await app.query<{ id: string }>(MEDIA_FILES)
    const inTurn = createQueue(FILES_AT_ONCE)
    let failed = false
    const copies = rows.map(({ id }) =>
      inTurn(async () => {
        if (failed) return true
        return await this.mediaFile(id).catch((error: unknown) => {
          failed = true
          throw error
        })
      }),
    )
    // Whoever clears away after a failure must find nobody who still writes.
    await Promise.allSettled(copies)
    return (await Promise.all(copies)).filter((found) => !found).length
  }

  /** The ledger as it is in the end, and the secrets where they are wanted. */
  async besides(): Promise<void> {
    const { ledger, withSecrets, dataDir } = this.source
    const text = `${[...(await ledger.read())].sort().join('\n')}\n`
    const { bytes, sha256 } = await writeHashed(join(this.work, ERASED), async (sink) => void sink.write(text))
    this.lists.files.push({ path: ERASED, bytes, sha256 })
    // What tables take on the disk was a guess, and too much.
    this.source.at?.(this.done, this.done)
    if (!withSecrets) return
    await copyFile(join(dataDir, SECRETS), join(this.work, SECRETS))
    this.lists.files.push({ path: SECRETS, ...(await hashFile(join(this.work, SECRETS))) })
  }

  private async table(client: pg.Client, schema: 'app' | 'log', table: AppTable): Promise<void> {
    const path = `${schema}/${table.name}.copy`
    const written = await writeHashed(
      join(this.work, path),
      (sink) => copyToSink(client, copySql(schema, table, 'to'), sink),
      (bytes) => this.reportProgress(bytes),
    )
    const { bytes, sha256, result: rows } = written
    this.lists.tables.push({ schema, name: table.name, columns: [...table.columns], rows, path })
    this.add({ path, bytes, sha256 })
  }

  private async mediaFile(id: string): Promise<boolean> {
    const path = join('media', id.slice(0, 2), id.slice(2, 4), id)
    const copied = await copyHashed(join(this.source.dataDir, path), join(this.work, path))
    if (copied) this.add({ path, bytes: copied.bytes, sha256: copied.sha256 })
    else await rm(join(this.work, path), { force: true })
    return copied !== null
  }

  private add(file: BackupFile): void {
    this.lists.files.push(file)
    this.done += file.bytes
    this.reportProgress(0)
  }

  private reportProgress(more: number): void {
    const done = this.done + more
    this.source.at?.(done, Math.max(done, this.total))
  }

  private async expected(app: pg.Client, log: pg.Client, tables: readonly AppTable[]): Promise<number> {
    const { rows: media } = await app.query<{ bytes: string }>(MEDIA_BYTES)
    const { rows: events } = await log.query<{ bytes: string }>(LOG_BYTES)
    return tables.reduce((sum, { bytes }) => sum + bytes, Number(media[0]!.bytes) + Number(events[0]!.bytes))
  }
}
