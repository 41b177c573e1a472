import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type pg from 'pg'
import { flush } from './files.ts'
import type { BackupFile } from './manifest.ts'

/** Of a folder in which a backup is made: the product that makes it, then what no other has. */
const WORKING = /^\.partial-([0-9a-f]{16})-[0-9a-f]{32}$/

/**
 * Where a backup is made. `cleared`: the folders that interrupted ones had left, and that are gone; `stuck`: those that this
 * user may not remove.
 */
export type WorkingFolder = {
  readonly path: string
  readonly cleared: readonly string[]
  readonly stuck: readonly string[]
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error)

/** The folder with every link on the way to it followed: under each spelling the same. */
export async function realFolder(folder: string): Promise<string> {
  const parent = dirname(folder)
  if (parent === folder) return folder
  const real = await realpath(parent).catch(() => realFolder(parent))
  return join(real, basename(folder))
}

/** Throws where something has the name, be it a link that leads nowhere. */
export async function requireNew(folder: string): Promise<void> {
  // Making a folder that cannot be looked at fails later, with a reason.
  if (await lstat(folder).catch(() => null)) throw new Error(`${folder} exists already. Name a folder that does not.`)
}

/** Throws where another backup of this database goes into the folder; the lock ends with the connection. */
export async function lockFolder(client: pg.Client, folder: string): Promise<void> {
  if (await tryLock(client, 'backup-folder', folder)) return
  throw new Error(`A backup into ${folder} is being made already. Wait for it, or name another.`)
}

async function tryLock(client: pg.Client, kind: string, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtext($1), hashtext($2)) as locked`,
    [kind, name],
  )
  return rows[0]!.locked
}

/** The database, which no other has the locks of: not the one that was restored from it for a rehearsal either. */
async function productOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as id
     from pg_control_system()`,
  )
  return createHash('sha256').update(rows[0]!.id).digest('hex').slice(0, 16)
}

/** Makes a folder beside the one that the backup becomes, under a lock of its own, and removes those that nobody has. */
export async function openWorkingFolder(client: pg.Client, folder: string): Promise<WorkingFolder> {
  const product = await productOf(client)
  const nameIt = async () => {
    const path = `${folder}.partial-${product}-${randomBytes(16).toString('hex')}`
    if (!(await tryLock(client, 'backup-work', basename(path)))) throw new Error(`${path} is in use. Run this again.`)
    return path
  }
  const path = await nameIt()
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await mkdir(path, { mode: 0o700 })
  } catch (cause) {
    throw new Error(`${folder} cannot be made (${codeOf(cause)}). Name a folder where this user can write.`, { cause })
  }
  const cleared: string[] = []
  const stuck: string[] = []
  for (const left of await listLeft(folder, product)) {
    if (left === path || !(await tryLock(client, 'backup-work', basename(left)))) continue
    const how = await clearLeft(left, await nameIt())
    if (how === 'cleared') cleared.push(left)
    if (how === 'stuck') stuck.push(left)
  }
  return { path, cleared, stuck }
}

/**
 * Removes it under another name: whoever lost its lock and writes on finds nothing more under its own, so half of it becomes no
 * backup. `stuck`: as one of another account is, which has its name again.
 */
async function clearLeft(left: string, taken: string): Promise<'cleared' | 'stuck' | 'gone'> {
  try {
    await rename(left, taken)
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'gone' : 'stuck'
  }
  try {
    await rm(taken, { recursive: true, force: true })
    return 'cleared'
  } catch {
    await rename(taken, left).catch(() => undefined)
    return 'stuck'
  }
}

/** What this product's backups into the folder are made in: by the name alone, which is there before anything is in it. */
async function listLeft(folder: string, product: string): Promise<string[]> {
  const names = await readdir(dirname(folder))
  const isOurs = (name: string) =>
    name.startsWith(basename(folder)) && WORKING.exec(name.slice(basename(folder).length))?.[1] === product
  return names.filter(isOurs).map((name) => join(dirname(folder), name))
}

const LOST = 'was removed or changed by somebody else while the backup was made. Run this again.'

/** Rethrows what writing into the folder met, in words where it is there no more. */
export const rethrowLost =
  (work: string) =>
  (cause: unknown): never => {
    if (codeOf(cause) === 'ENOENT') throw new Error(`${work} ${LOST}`, { cause })
    throw cause
  }

/** Throws unless every file is there with its size. */
export async function requireWhole(work: string, files: readonly BackupFile[]): Promise<void> {
  for (const { path, bytes } of files) {
    const found = await stat(join(work, path)).catch(() => null)
    if (found?.size !== bytes) throw new Error(`${join(work, path)} ${LOST}`)
  }
}

const TAKEN = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR']

/** Gives what is whole its name. */
export async function nameBackup(work: string, folder: string): Promise<void> {
  try {
    await requireNew(folder)
    await rename(work, folder)
  } catch (cause) {
    if (TAKEN.includes(codeOf(cause)) || existsSync(folder))
      throw new Error(`${folder} was made by somebody else meanwhile, and stays as it is. Name another folder.`, {
        cause,
      })
    rethrowLost(work)(cause)
  }
  await flush(dirname(folder))
}
