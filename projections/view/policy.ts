import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * `decideAccess` for lists, which join `read.relation` as r and `read.profile` as p: the other is there, and neither
 * blocked the other.
 */
export const meetable = sql<SqlBool>`(p.status = 'active' and p.started
  and r.blocked_at is null and r.blocked_me_at is null)`

/** Also not hidden, unless matched: access is matched, preview or locked. */
export const listed = sql<SqlBool>`(${meetable} and (r.matched_at is not null
  or (p.visibility_mode <> 'hidden' and p.visibility = 'active')))`

/** `column in (…)` as a text that stays the same for any number of ids, so that it is planned once. */
export function among(column: string, ids: readonly string[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${ids}::text[])`
}
