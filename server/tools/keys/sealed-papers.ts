import type pg from 'pg'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { paperBox } from '../../../services/media/media.ts'
import type { MediaStore } from '../../../services/media/store.ts'
import type { Batch } from './sealed-tables.ts'

export const PAPERS_PURPOSE = 'verification-media'

/** Brings papers shown for verification under the first key, each while its row is locked: what is removed stays away. */
export async function* resealPapers(pool: pg.Pool, masterKey: MasterKey, store: MediaStore): AsyncGenerator<Batch> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from app.media where purpose like 'kyc-%' and deleted_at is null order by id`,
  )
  for (const { id } of rows) yield await resealPaper(pool, masterKey, store, id)
}

function resealPaper(pool: pg.Pool, masterKey: MasterKey, store: MediaStore, id: string): Promise<Batch> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('select from app.media where id = $1 and deleted_at is null for update', [
      id,
    ])
    return rowCount === 1 ? resealFile(masterKey, store, id) : UNTOUCHED
  })
}

const UNTOUCHED: Batch = { seen: 1, sealed: 0, unreadable: [] }

/** The row is locked and not removed, so its file is there: one that is missing is in another folder, or on no disk. */
async function resealFile(masterKey: MasterKey, store: MediaStore, id: string): Promise<Batch> {
  try {
    const again = paperBox(masterKey).reseal(id, await store.read(id))
    if (!again) return UNTOUCHED
    await store.write(id, again)
    return { ...UNTOUCHED, sealed: 1 }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { ...UNTOUCHED, unreadable: [`media ${id}${code ? ` (${code})` : ''}`] }
  }
}
