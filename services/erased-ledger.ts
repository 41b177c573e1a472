import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ID_PATTERN } from '../domain/shared/id-pattern.ts'

/**
 * Whose keys were destroyed: ids alone, one on a line, in files that no restore brings back to an earlier day. A
 * restored backup meets it before anything is served.
 */
export type ErasedLedger = {
  /** On disk when it answers; repeats do no harm. */
  add(subjects: readonly string[]): Promise<void>
  read(): Promise<Set<string>>
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** Beside the data folder: this copy outlives a folder that is removed. */
export const ledgerPathOf = (dataDir: string): string => join(dirname(dataDir), `${basename(dataDir)}.erased`)

/** In the data folder, and beside it where this user may write there. */
export function createErasedLedger(dataDir: string): ErasedLedger {
  const inside = join(dataDir, 'erased')
  const beside = ledgerPathOf(dataDir)
  return {
    async add(subjects) {
      if (subjects.length === 0) return
      await append(inside, subjects)
      await append(beside, subjects).catch((error: NodeJS.ErrnoException) => {
        if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? '')) throw error
      })
    },
    read: async () => new Set([...(await readOurs(inside)), ...(await readOurs(beside))]),
  }
}

async function append(path: string, subjects: readonly string[]): Promise<void> {
  const file = await ours(path, O_APPEND | O_CREAT | O_WRONLY)
  try {
    // Begins a line of its own, should the one before be half written.
    await file.write(`\n${subjects.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Of a backup, whose manifest has the hash of the file: a line that a crash interrupted is no id. */
export const readErased = async (path: string): Promise<Set<string>> => idsIn(await readFile(path, 'utf8'))

const idsIn = (text: string) => new Set(text.split('\n').filter((line) => ID_PATTERN.test(line)))

/** Empty when there is no file. */
async function readOurs(path: string): Promise<Set<string>> {
  const file = await ours(path, O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return new Set()
  try {
    return idsIn(await file.readFile('utf8'))
  } finally {
    await file.close()
  }
}

/**
 * Whoever can write a line there has a member erased at the next start, and the folder beside may be one that others can write to.
 * So the file is one of this account's or of root's, and never a link.
 */
async function ours(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? foreign(path) : error
  })
  if (isOurs(await file.stat())) return file
  await file.close()
  throw foreign(path)
}

const OTHERS_WRITE = 0o022
const isOurs = (stats: Stats) =>
  stats.isFile() && (stats.mode & OTHERS_WRITE) === 0 && [0, process.getuid?.() ?? stats.uid].includes(stats.uid)

const foreign = (path: string) =>
  new Error(
    `${path} names the erased, and others may have written it: it must be a file of this account, or of root, that no others can write to. Look at who made it, then put it right or move it away.`,
  )
