import type { EventType } from '../../domain/all-events.ts'
import { type MemberId, membersOf, type PairId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'

const PAIR = 'pair-'

/** Whoever ever had to do with the member, also after an erasure; `by`: in an event of this type. */
export async function listPartners(read: ReadDb, member: MemberId, by?: EventType): Promise<MemberId[]> {
  const pairs = read
    .selectFrom('history')
    .select('stream')
    .distinct()
    .where('member', '=', member)
    .where('kind', '=', 'pair')
  const rows = await (by ? pairs.where('type', '=', by) : pairs).execute()
  const both = rows.flatMap(({ stream }) => membersOf(stream.slice(PAIR.length) as PairId))
  return [...new Set(both)].filter((one) => one !== member)
}
