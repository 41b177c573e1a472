import { sql } from 'kysely'
import type { EventType } from '../../domain/all-events.ts'
import { type MemberId, membersOf, type PairId } from '../../domain/shared/ids.ts'
import { readAtOnce } from '../engine/read-with-position.ts'
import type { ReadDb } from '../projection.ts'
import { histories } from './project.ts'

const PAIR = 'pair-'

/**
 * Whoever ever had to do with the member, also after an erasure; `by`: in an event of this type. What the histories have in
 * quarantine is in none of their rows, and counts as well.
 */
export async function listPartners(read: ReadDb, member: MemberId, by?: EventType): Promise<MemberId[]> {
  const streams = await readAtOnce(read, async (db) => [
    ...(await listedPairs(db, member, by)),
    ...(await waitingPairs(db, member, by)),
  ])
  const both = streams.flatMap(({ stream }) => membersOf(stream.slice(PAIR.length) as PairId))
  return [...new Set(both)].filter((one) => one !== member)
}

function listedPairs(db: ReadDb, member: MemberId, by?: EventType) {
  const pairs = db
    .selectFrom('history')
    .select('stream')
    .distinct()
    .where('member', '=', member)
    .where('kind', '=', 'pair')
  return (by ? pairs.where('type', '=', by) : pairs).execute()
}

/** The key of a pair is its two members. What tables have in quarantine that nobody reads happened all the same. */
async function waitingPairs(db: ReadDb, member: MemberId, by: EventType | null = null) {
  const { rows } = await sql<{ stream: string }>`select distinct stream from app.quarantine
    where name = ${histories.name} and starts_with(stream, ${PAIR})
      and ${member} = any(string_to_array(key, '_')) and (${by}::text is null or type = ${by})`.execute(db)
  return rows
}
