import type pg from 'pg'
import { type MasterKey, masterKeysOf } from '../../../domain/shared/master-key.ts'
import { readDays, readSegments } from '../../../eventstore/chain/heads.ts'
import { createSeals } from '../../../eventstore/chain/seals.ts'
import type { Batch } from './sealed-tables.ts'

type Write = { readonly text: string; readonly values: readonly unknown[] }
type Judged = { readonly write?: Write; readonly unreadable?: string }

/** Brings the heads and the signed days of the hash chain under the first key; what holds under none stays as it is. */
export async function* resealChain(pool: pg.Pool, masterKey: MasterKey, batch: number): AsyncGenerator<Batch> {
  const first = createSeals(masterKeysOf(masterKey)[0])
  const any = createSeals(masterKey)
  const heads = (await readSegments(pool)).map((segment): Judged => {
    if (first.holds(segment)) return {}
    if (!any.holds(segment)) return { unreadable: `chain_segment ${segment.seq}` }
    return {
      write: {
        text: 'update app.chain_segment set mac = $2 where seq = $1',
        values: [segment.seq, first.mac(segment)],
      },
    }
  })
  const days = (await readDays(pool)).map((day): Judged => {
    if (first.signed(day)) return {}
    if (!any.signed(day)) return { unreadable: `chain_day ${day.day}` }
    return {
      write: { text: 'update app.chain_day set signature = $2 where day = $1', values: [day.day, first.sign(day)] },
    }
  })
  const all = [...heads, ...days]
  for (let from = 0; from < all.length; from += batch) {
    const judged = all.slice(from, from + batch)
    const writes = judged.flatMap(({ write }) => (write ? [write] : []))
    for (const { text, values } of writes) await pool.query(text, [...values])
    yield {
      seen: judged.length,
      sealed: writes.length,
      unreadable: judged.flatMap(({ unreadable }) => (unreadable ? [unreadable] : [])),
    }
  }
}
