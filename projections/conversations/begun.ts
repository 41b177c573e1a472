import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { roomsOf } from './rooms.ts'

/** Those of `others` with whom the viewer has a room in which somebody has written since the match. */
export async function listBegun(db: ReadDb, viewer: MemberId, others: readonly string[]): Promise<ReadonlySet<string>> {
  if (others.length === 0) return new Set()
  const rows = await roomsOf(db, viewer)
    .select('c.other')
    .where('c.other', 'in', others)
    .whereRef('c.last_number', '>', 'c.hidden_up_to')
    .execute()
  return new Set(rows.map(({ other }) => other))
}
