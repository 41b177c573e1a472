import type pg from 'pg'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { waitsBehind } from '../quarantine.ts'

/** The streams of which an event of this type is in quarantine of a live read model. */
export async function quarantinedStreams(pool: pg.Pool, name: string, type: string): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string }>(
    `select distinct stream from app.quarantine q join app.projection p using (name, version, generation)
     where q.name = $1 and q.type = $2 and p.state = 'live' order by stream`,
    [name, type],
  )
  return rows.map(({ stream }) => stream)
}

/**
 * The live read models that could not take the end of an account: their rows have what the member wrote. Where it waits behind
 * another event it has gone ahead of that.
 */
export async function listUnerased(pool: pg.Pool, member: MemberId): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select distinct name from app.quarantine q join app.projection p using (name, version, generation)
     where q.stream = $1 and q.type = 'AccountErased' and q.reason not like $2 and p.state = 'live' order by name`,
    [`member-${member}`, waitsBehind('%')],
  )
  return rows.map(({ name }) => name)
}
