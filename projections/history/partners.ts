import { type MemberId, membersOf, type PairId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'

const PAIR = 'pair-'

/** Whoever ever had to do with the member, also after an erasure. */
export async function listPartners(read: ReadDb, member: MemberId): Promise<MemberId[]> {
  const rows = await read
    .selectFrom('history')
    .select('stream')
    .distinct()
    .where('member', '=', member)
    .where('kind', '=', 'pair')
    .execute()
  const both = rows.flatMap(({ stream }) => membersOf(stream.slice(PAIR.length) as PairId))
  return [...new Set(both)].filter((one) => one !== member)
}
