import type pg from 'pg'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
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

async function resealPaper(pool: pg.Pool, masterKey: MasterKey, store: MediaStore, id: string): Promise<Batch> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query('select from app.media where id = $1 and deleted_at is null for update', [
      id,
    ])
    const file = rowCount === 1 ? await store.read(id).catch(() => null) : null
    const again = file && paperBox(masterKey).reseal(id, file)
    if (again) await store.write(id, again)
    return { seen: 1, sealed: again ? 1 : 0, unreadable: [] }
  } catch {
    return { seen: 1, sealed: 0, unreadable: [`media ${id}`] }
  } finally {
    await client.query('commit')
    client.release()
  }
}
