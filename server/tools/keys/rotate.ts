import type pg from 'pg'
import type { MasterKeys } from '../../../domain/shared/master-key.ts'
import { onOwnConnection } from '../../../projections/engine/transaction.ts'
import type { MediaStore } from '../../../services/media/store.ts'
import { listKeysOfProcesses, masterKeyId } from '../../keys/master-keys.ts'
import { clearOldSeals } from './clear-old-seals.ts'
import { resealChain } from './sealed-chain.ts'
import { resealPapers } from './sealed-papers.ts'
import { type Batch, resealTable, SEALED_TABLES } from './sealed-tables.ts'

export type RotateDeps = {
  readonly pool: pg.Pool
  /** The new key, and behind it those that it follows. */
  readonly keys: MasterKeys
  readonly store: MediaStore
  readonly batch?: number
  /** Whether the key before is taken out of use though some values cannot be read. */
  readonly despiteUnreadable?: boolean
  /** How long a table that is in use is waited for. */
  readonly waitMs?: number
  /** After each batch, which is stored by then. */
  readonly at?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * `retired`: by name the keys that nothing is under any more. `uncleared`: tables, or what was written ahead, whose files
 * may hold values under them all the same.
 */
export type Rotated = {
  readonly seen: number
  readonly sealed: number
  readonly unreadable: readonly string[]
  readonly retired: readonly string[]
  readonly uncleared: readonly string[]
}

/** The one key that is named seals already. */
export class NothingToRotate extends Error {
  override name = 'NothingToRotate'
}

/** A process seals with a key that is to go. */
export class StillSealing extends Error {
  override name = 'StillSealing'
}

const BATCH = 100

/**
 * Seals again, under the first key, whatever is under one of the others, while the product runs: both are read meanwhile.
 * May be interrupted at any moment and run again. A value that none of the keys opens stays as it is, and is reported.
 * Throws `NothingToRotate` unless one of the keys is another than the first.
 */
export async function rotateMasterKey(deps: RotateDeps): Promise<Rotated> {
  const { pool, keys, batch = BATCH, at, signal, despiteUnreadable = false } = deps
  const current = masterKeyId(keys[0])
  const before = [...new Set(keys.map(masterKeyId))].filter((id) => id !== current)
  if (before.length === 0) throw new NothingToRotate(`${current} follows no other key: there is nothing to rotate.`)
  await refuseOthers(pool, current)
  // From here on no process starts that would seal with one of them; those are asked again that have started meanwhile.
  await pool.query(
    `insert into app.master_key (id, retiring_at) select id, now() from unnest($1::text[]) id
     on conflict (id) do update set retiring_at = coalesce(master_key.retiring_at, now())`,
    [before],
  )
  await refuseOthers(pool, current)
  const total = await countAll(pool)
  const sum = { seen: 0, sealed: 0, unreadable: [] as string[] }
  for await (const { seen, sealed, unreadable } of batches(deps, batch)) {
    sum.seen += seen
    sum.sealed += sealed
    sum.unreadable.push(...unreadable)
    at?.(sum.seen, Math.max(total, sum.seen))
    signal?.throwIfAborted()
  }
  await refuseOthers(pool, current)
  if (sum.unreadable.length > 0 && !despiteUnreadable) return { ...sum, retired: [], uncleared: [] }
  await retire(pool, before)
  return { ...sum, retired: before, uncleared: await clearOldSeals(pool, deps.waitMs) }
}

async function* batches({ pool, keys, store }: RotateDeps, batch: number): AsyncGenerator<Batch> {
  for (const table of SEALED_TABLES) yield* resealTable(pool, keys, table, batch)
  yield* resealChain(pool, keys, batch)
  yield* resealPapers(pool, keys, store)
}

async function refuseOthers(pool: pg.Pool, current: string): Promise<void> {
  const others = (await listKeysOfProcesses(pool)).filter(([sealsWith]) => sealsWith !== current).length
  if (others > 0)
    throw new StillSealing(
      `${others} of the processes on this database may seal with the key before. Start each with ${current} as MASTER_KEY and the one before as MASTER_KEY_OLD, wait for a backup under way, and run this again.`,
    )
}

async function retire(pool: pg.Pool, before: readonly string[]): Promise<void> {
  // Of requests that were under way before, only a hash under the old key is here; no answer can be kept for them.
  await onOwnConnection(pool, (db) =>
    db.query(
      `delete from app.idempotent_answer where sealed is null
         and created_at < (select max(retiring_at) from app.master_key where id = any($1))`,
      [before],
    ),
  )
  await pool.query('update app.master_key set retired_at = coalesce(retired_at, now()) where id = any($1)', [before])
}

async function countAll(pool: pg.Pool): Promise<number> {
  const tables = [...SEALED_TABLES.map(({ table }) => table), 'chain_segment', 'chain_day']
  const counts = tables.map((table) => `(select count(*) from app.${table})`)
  const text = `select ${counts.join(' + ')} + (select count(*) from app.media where purpose like 'kyc-%') as total`
  const { rows } = await onOwnConnection(pool, (db) => db.query<{ total: string }>(text))
  return Number(rows[0]!.total)
}
