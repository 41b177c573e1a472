import { sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ProfileRow } from '../profiles/table.ts'
import type { ReadDb } from '../projection.ts'
import { type Access, decideAccess, decideBuzz, type Relation } from './visibility.ts'

/** Two members and what the viewer may see of the owner; `owner` is there whenever `access` is. */
export type Encounter = {
  access: Access | null
  owner?: ProfileRow
  relation: Relation & { unmatched_at: Date | null }
}

/** Both are asked for in one query, also where the owner has no profile any more. */
export async function findEncounter(db: ReadDb, viewer: MemberId, owner: MemberId): Promise<Encounter> {
  const { liked_at, liked_me_at, matched_at, unmatched_at, blocked_at, blocked_me_at, ...row } = await db
    .selectFrom(sql<{ member: string }>`(select ${owner}::text as member)`.as('asked'))
    .leftJoin('profile as p', 'p.member', 'asked.member')
    .leftJoin('relation as r', (join) => join.onRef('r.other', '=', 'asked.member').on('r.member', '=', viewer))
    .selectAll('p')
    .select(['r.liked_at', 'r.liked_me_at', 'r.matched_at', 'r.unmatched_at', 'r.blocked_at', 'r.blocked_me_at'])
    .executeTakeFirstOrThrow()
  const relation = { liked_at, liked_me_at, matched_at, unmatched_at, blocked_at, blocked_me_at }
  const found = row.member === null ? undefined : (row as ProfileRow)
  return { access: decideAccess(viewer, found, relation), ...(found && { owner: found }), relation }
}

/** null: unknown, erased, suspended or unfinished. */
export async function findAccess(db: ReadDb, viewer: MemberId, owner: MemberId): Promise<Access | null> {
  return (await findEncounter(db, viewer, owner)).access
}

/** Whether `viewer` may buzz `target` as far as visibility goes; null: nobody is there (api-contract C07). */
export async function mayBuzz(db: ReadDb, viewer: MemberId, target: MemberId): Promise<boolean | null> {
  const { owner, relation } = await findEncounter(db, viewer, target)
  return decideBuzz(viewer, owner, relation)
}
