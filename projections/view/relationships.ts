import { sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { readWithPosition } from '../engine/read-with-position.ts'
import type { ReadDb } from '../projection.ts'

type Pairs = readonly (readonly [MemberId, MemberId])[]
/** Who is matched, who blocked whom and who is shut out, as of a position: what a realtime node begins from (ARCHITECTURE.md). */
export type Relationships = {
  readonly position: Position
  readonly matched: Pairs
  readonly blocked: Pairs
  /** Deactivated or suspended. */
  readonly out: readonly MemberId[]
}

export async function readRelationships(db: ReadDb): Promise<Relationships> {
  const { data, pos } = await readWithPosition(db, ['relations', 'accounts'], async (read) => ({
    matched: await read
      .selectFrom('relation')
      .select(['member', 'other'])
      .where('matched_at', 'is not', null)
      .where(sql<boolean>`member < other`)
      .execute(),
    blocked: await read
      .selectFrom('relation')
      .select(['member', 'other'])
      .where('blocked_at', 'is not', null)
      .execute(),
    out: await read.selectFrom('account').select('member').where('status', '!=', 'active').execute(),
  }))
  const pairs = (rows: { member: string; other: string }[]) =>
    rows.map(({ member, other }) => [member as MemberId, other as MemberId] as const)
  const out = data.out.map(({ member }) => member as MemberId)
  return { position: pos, matched: pairs(data.matched), blocked: pairs(data.blocked), out }
}
