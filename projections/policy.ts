import { type SqlBool, sql } from 'kysely'

/**
 * `decideAccess` for lists, which join `read.relation` as r and `read.profile` as p: the other is there, and neither
 * blocked the other.
 */
export const meetable = sql<SqlBool>`(p.status = 'active' and p.started
  and r.blocked_at is null and r.blocked_me_at is null)`

/** Also not hidden, unless matched: access is matched, preview or locked. */
export const listed = sql<SqlBool>`(${meetable} and (r.matched_at is not null
  or (p.visibility_mode <> 'hidden' and p.visibility = 'active')))`
