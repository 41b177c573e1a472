import type pg from 'pg'
import {
  bytesOf,
  comesTrue,
  comesUnseen,
  endWrittenAhead,
  LARGEST,
  markTransaction,
  mayRemakeSamples,
  remakeTable,
  SAMPLES,
  withShortLocks,
} from '../erasure/table-files.ts'
import { SEALED_TABLES } from './sealed-tables.ts'

const WRITTEN_AHEAD = 'the write-ahead log'

/**
 * Clears what values under a key before left in the files of Postgres, as after an erasure (decision 0008): each sealed
 * table is made anew, and the one of samples, which were taken of them once; then what was written ahead goes. Each that is in
 * use is waited for `waitMs` long. Answers which of them were left as they are.
 */
export async function clearOldSeals(pool: pg.Pool, waitMs?: number): Promise<string[]> {
  const client = await pool.connect()
  const left: string[] = []
  try {
    const rotated = await markTransaction(client)
    const unseen = await comesUnseen(client, rotated, waitMs)
    await withShortLocks(client, async () => {
      const maySamples = await mayRemakeSamples(client)
      if (!maySamples) left.push(SAMPLES)
      for (const name of [...SEALED_TABLES.map(({ table }) => `app.${table}`), ...(maySamples ? [SAMPLES] : [])])
        if (!unseen || !(await comesTrue(() => remake(client, name), waitMs))) left.push(name)
    })
    if (!(await endWrittenAhead(client).catch(() => false))) left.push(WRITTEN_AHEAD)
    return left
  } finally {
    // With its settings, whatever they are by now.
    client.release(true)
  }
}

/** False for a large one. */
async function remake(client: pg.ClientBase, name: string): Promise<boolean> {
  if ((await bytesOf(client, name)) > LARGEST) return false
  await remakeTable(client, name)
  return true
}
