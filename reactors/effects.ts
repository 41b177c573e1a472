import type pg from 'pg'
import type { Position } from '../domain/shared/recorded.ts'
import type { StoredEvent } from '../eventstore/events.ts'
import type { Log } from '../eventstore/log.ts'

/** What a reactor owes for an event: a row of `app.reactor_effect`, without data of the event. */
export type Effect = {
  readonly reactor: string
  readonly event_id: string
  readonly stream: string
  readonly revision: number
  readonly tries: number
}

/** A taken effect is another process' to try again only after this long. */
const LEASE = '60 seconds'
const LONGEST = '1 hour'

/**
 * The reactor's position. The end of the log at its first start, whichever process starts first, and where the log is another
 * one or was set back: what happened there before is no news.
 */
export async function reactorPosition(pool: pg.Pool, name: string, log: Pick<Log, 'id' | 'end'>): Promise<Position> {
  const [id, end] = [await log.id(), await log.end()]
  const { rows } = await pool.query<{ position: Position }>(
    `insert into app.reactor (name, position, log_id) values ($1, $2, $3)
     on conflict (name) do update set log_id = $3,
       position = case when coalesce(reactor.log_id, $3) = $3 then reactor.position else $2 end
     returning position`,
    [name, end, id],
  )
  const { position } = rows[0]!
  if (position <= end) return position
  // Another process may be ahead of what was known of the log just before.
  const now = await log.end()
  if (position <= now) return position
  await pool.query('update app.reactor set position = $3 where name = $1 and position = $2', [name, position, now])
  return now
}

/**
 * Before a start without reactors writes to the log: in one that was set back, those of others then meet what is written. Those of
 * another log are the business of whoever runs them, which places its own: who is given the wrong log changes nothing.
 */
export async function placeReactors(
  pool: pg.Pool,
  log: Pick<Log, 'id' | 'end'>,
  reactors: readonly { readonly name: string }[],
): Promise<void> {
  const { rows } = await pool.query<{ name: string; position: Position }>(
    'select name, position from app.reactor where log_id = $1 and name = any($2)',
    [await log.id(), reactors.map(({ name }) => name)],
  )
  // Later than the rows, which others move meanwhile.
  const end = await log.end()
  for (const { name, position } of rows.filter((row) => row.position > end))
    await pool.query('update app.reactor set position = $3 where name = $1 and position = $2', [name, position, end])
}

/**
 * Notes what is owed, with the job that does it, and moves the checkpoint, in one statement. False when another process moved it first: then
 * nothing is noted.
 */
export async function oweEffects(
  pool: pg.Pool,
  name: string,
  { from, to, events }: { from: Position; to: Position; events: readonly StoredEvent[] },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with moved as (update app.reactor set position = $3, updated_at = now() where name = $1 and position = $2 returning name),
     owed as (insert into app.reactor_effect (reactor, event_id, position, stream, revision)
       select moved.name, u.* from moved, unnest($4::text[], $5::text[], $6::text[], $7::bigint[]) u
       on conflict do nothing),
     woken as (select app.add_job('react', json_build_object('reactor', name), null, now(), key := 'react:' || name)
       from moved where cardinality($4::text[]) > 0)
     select (select count(*) from woken) from moved`,
    [
      ...[name, from, to],
      events.map(({ id }) => id),
      events.map(({ position }) => position),
      events.map(({ stream }) => stream),
      events.map(({ revision }) => revision),
    ],
  )
  return rowCount === 1
}

/**
 * Takes some effects that are due for this process alone, first those that have been for longest: one that fails again and again is
 * behind those that wait for their first try.
 */
export async function takeEffects(pool: pg.Pool, names: readonly string[], limit: number): Promise<Effect[]> {
  const { rows } = await pool.query<Effect & { place: number }>(
    `update app.reactor_effect e set tries = tries + 1, due_at = now() + interval '${LEASE}'
     from (select reactor, event_id, row_number() over (order by due_at, position)::integer as place
       from (select reactor, event_id, due_at, position from app.reactor_effect
         where state = 'owed' and due_at <= now() and reactor = any($1)
         order by due_at, position limit $2 for update skip locked) taken) due
     where e.reactor = due.reactor and e.event_id = due.event_id
     returning e.reactor, e.event_id, e.stream, e.revision::integer, e.tries, due.place`,
    [names, limit],
  )
  return rows.sort((a, b) => a.place - b.place)
}

/** In how many milliseconds the next effect of a reactor is due; null when nothing is owed. */
export async function nextEffect(pool: pg.Pool, name: string): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms from app.reactor_effect
     where reactor = $1 and state = 'owed'`,
    [name],
  )
  return rows[0]!.ms
}

/** What a reactor owes for a stream is due at once, and what was given up is owed again: what it waited for has come. */
export async function hurryEffects(pool: pg.Pool, name: string, stream: string): Promise<void> {
  await pool.query(
    `with due as (update app.reactor_effect set state = 'owed', due_at = now()
       where reactor = $1 and stream = $2 and state <> 'done' returning reactor)
     select app.add_job('react', json_build_object('reactor', reactor), null, now(), key := 'react:' || reactor)
     from due limit 1`,
    [name, stream],
  )
}

/** What was given up is owed again. */
export async function oweGivenUp(pool: pg.Pool, name: string): Promise<void> {
  await pool.query(
    `update app.reactor_effect set state = 'owed', due_at = now() where reactor = $1 and state = 'given-up'`,
    [name],
  )
}

const KEPT = '7 days'

/** Forgets what was done long ago: nothing asks for it once the checkpoint is past its event. Answers how many. */
export async function sweepEffects(db: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rowCount } = await db.query(
    `delete from app.reactor_effect where state = 'done' and due_at < now() - interval '${KEPT}'`,
  )
  return rowCount ?? 0
}

/** Takes it for as long again; false where another process has taken it since. */
export async function renewEffect(pool: pg.Pool, { reactor, event_id, tries }: Effect): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update app.reactor_effect set due_at = now() + interval '${LEASE}'
     where reactor = $1 and event_id = $2 and state = 'owed' and tries = $3`,
    [reactor, event_id, tries],
  )
  return rowCount === 1
}

/** Those that were taken and not begun are anybody's at once, as if they had not been. */
export async function giveBackEffects(pool: pg.Pool, taken: readonly Effect[]): Promise<void> {
  await pool.query(
    `update app.reactor_effect e set tries = e.tries - 1, due_at = now()
     from unnest($1::text[], $2::text[], $3::integer[]) u(reactor, event_id, tries)
     where e.reactor = u.reactor and e.event_id = u.event_id and e.state = 'owed' and e.tries = u.tries`,
    [taken.map((one) => one.reactor), taken.map((one) => one.event_id), taken.map((one) => one.tries)],
  )
}

export async function effectDone(pool: pg.Pool, { reactor, event_id }: Effect): Promise<void> {
  await pool.query(`update app.reactor_effect set state = 'done', reason = null where reactor = $1 and event_id = $2`, [
    reactor,
    event_id,
  ])
}

/**
 * Tries again later, each time twice as late; or never. Quiet where another process has taken it since. The reason contains no
 * personal data.
 */
export async function effectFailed(pool: pg.Pool, effect: Effect, reason: string, giveUp: boolean): Promise<void> {
  await pool.query(
    `update app.reactor_effect set reason = $3, state = case when $4 then 'given-up' else 'owed' end,
       due_at = now() + least(interval '${LONGEST}', interval '100 milliseconds' * power(2, least(tries, 20)))
     where reactor = $1 and event_id = $2 and state = 'owed' and tries = $5`,
    [effect.reactor, effect.event_id, reason, giveUp, effect.tries],
  )
}
