import { open, readFile } from 'node:fs/promises'
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
    read: async () => new Set([...(await readErased(inside)), ...(await readErased(beside))]),
  }
}

async function append(path: string, subjects: readonly string[]): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    // Begins a line of its own, should the one before be half written.
    await file.write(`\n${subjects.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Empty when there is no file; a line that a crash interrupted is no id. */
export async function readErased(path: string): Promise<Set<string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return new Set(text.split('\n').filter((line) => ID_PATTERN.test(line)))
}
