import { open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

type Db = Pick<pg.ClientBase, 'query'>

/** Bytes that are free where this database has its tables; null where they cannot be seen from here. */
export type FreeBytes = (db: Db) => Promise<number | null>

/** Of what is left to copy: indexes and rows come to a little less than in the single table, the journal on top. */
const AT_BEGIN = 1.25
/** So much stays free for whoever else writes there. */
const UNDER_WAY = 0.1

/** There is less room on the disk than a move takes. */
export class NoRoomError extends Error {
  override name = 'NoRoomError'
}

/** Throws where the disk has too little room for a move to begin or resume. Answers whether that is known. */
export async function requireRoom(
  db: Db,
  freeBytes: FreeBytes = freeOnDisk,
): Promise<{ left: number; known: boolean }> {
  const left = (await leftToCopy(db)) * AT_BEGIN
  const free = await freeBytes(db)
  if (free !== null && free < left)
    throw new NoRoomError(`it takes ${sized(left)} free on the disk of Postgres, where ${sized(free)} are.`)
  return { left, known: free !== null }
}

/** Whether a small log may move at once. */
export async function hasRoom(db: Db, freeBytes: FreeBytes = freeOnDisk): Promise<boolean> {
  const free = await freeBytes(db)
  return free === null || free >= (await leftToCopy(db)) * AT_BEGIN
}

/** Throws where others have filled the disk since the move began. */
export async function keepRoom(db: Db, freeBytes: FreeBytes = freeOnDisk): Promise<void> {
  const free = await freeBytes(db)
  if (free !== null && free < (await leftToCopy(db)) * UNDER_WAY)
    throw new NoRoomError(`the disk of Postgres has ${sized(free)} left.`)
}

const LEFT = `select greatest(pg_total_relation_size('log.event')
  - coalesce((select sum(pg_total_relation_size(inhrelid)) from pg_inherits
      where inhparent = to_regclass('log.event_next')), 0), 0)::text as left`

async function leftToCopy(db: Db): Promise<number> {
  const { rows } = await db.query<{ left: string }>(LEFT)
  return Number(rows[0]!.left)
}

const WHERE = `select current_setting('data_directory') as folder, pg_tablespace_location(dattablespace) as elsewhere,
  (select system_identifier::text from pg_control_system()) as cluster from pg_database where datname = current_database()`

/** Only whoever is on the machine of Postgres, and may look into its folder, sees its disk. */
export async function freeOnDisk(db: Db): Promise<number | null> {
  try {
    const { rows } = await db.query<{ folder: string; elsewhere: string; cluster: string }>(WHERE)
    const { folder, elsewhere, cluster } = rows[0]!
    if ((await clusterIn(folder)) !== cluster) return null
    const { bavail, bsize } = await statfs(elsewhere || folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** The number that a folder of Postgres has for life: the same path may be on another machine. */
async function clusterIn(folder: string): Promise<string> {
  const file = await open(join(folder, 'global', 'pg_control'))
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    return String(buffer.readBigUInt64LE())
  } finally {
    await file.close()
  }
}

/** Bytes for people to read. */
export const sized = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
