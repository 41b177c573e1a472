import type { Expression } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { meetable } from '../view/policy.ts'

/**
 * The rooms that a member reads: of a match that stands, or left behind by an erased member. Joins the conversation as
 * c, the other's relation as r and profile as p.
 */
export function roomsOf(db: ReadDb, viewer: MemberId | Expression<string>) {
  return db
    .selectFrom('conversation as c')
    .leftJoin('relation as r', (join) => join.onRef('r.member', '=', 'c.member').onRef('r.other', '=', 'c.other'))
    .leftJoin('profile as p', 'p.member', 'c.other')
    .where('c.member', '=', viewer)
    .where((eb) =>
      eb.or([eb('c.gone', '=', true), eb.and([eb('c.open', '=', true), eb('r.matched_at', 'is not', null), meetable])]),
    )
}
