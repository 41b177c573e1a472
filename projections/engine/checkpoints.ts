import type pg from 'pg'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { Anchor } from './anchors.ts'

/**
 * The life of a set of tables, whose steps are in `targets.ts`. `filling`: not seen by readers yet; ready once `complete`
 * (`fill/fill.ts`) has brought it to the end of the log with its indexes, which no row states, since the log goes on. `live`: what
 * they see, since `swapIn`. `retired`: what they saw before it, until it is removed or a rollback has filled it on and swapped it in:
 * what was live is never `filling` again, which rebuilds go on with.
 */
export type TargetState = 'filling' | 'live' | 'retired'

/**
 * One set of tables of a projection. `version` is the code's; a rebuild of the same version counts `generation` up from
 * 1. `logId` is the id of the log that the position is of.
 */
export type Target = {
  readonly name: string
  readonly version: number
  readonly generation: number
  readonly state: TargetState
  readonly position: Position
  readonly logId: string | null
  readonly error: string | null
  readonly updatedAt: Date
  /** The time of events that its rows have come to; null where none of them expires. */
  readonly clock: Date | null
}

type Db = Pick<pg.ClientBase, 'query'>

const COLUMNS = 'name, version, generation, state, position, epoch as "logId", error, updated_at as "updatedAt", clock'
/** The columns of a target, as a condition on the values of `idOf`. */
export const SAME = 'name = $1 and version = $2 and generation = $3'
const SAME_TARGET = 't.name = $1 and t.version = $2 and t.generation = $3'
export const idOf = ({ name, version, generation }: Target) => [name, version, generation]

/** `p_<name>_v<version>`, and `_<generation>` behind it from the second on. */
export function schemaOf({ name, version, generation }: Pick<Target, 'name' | 'version' | 'generation'>): string {
  return `p_${name}_v${version}${generation === 1 ? '' : `_${generation}`}`
}

/** Newest first; of one projection, or of all. */
export async function listTargets(db: Db, name?: string): Promise<Target[]> {
  const { rows } = await db.query<Target>(
    `select ${COLUMNS} from app.projection where $1::text is null or name = $1 order by name, version desc, generation desc`,
    [name ?? null],
  )
  return rows
}

export const inState = (targets: readonly Target[], state: TargetState): Target | undefined =>
  targets.find((one) => one.state === state)

/** The tables of a projection that readers see. */
export const findLive = async (db: Db, name: string): Promise<Target | undefined> =>
  inState(await listTargets(db, name), 'live')

export async function findTarget(db: Db, target: Target): Promise<Target | undefined> {
  const { rows } = await db.query<Target>(`select ${COLUMNS} from app.projection where ${SAME}`, idOf(target))
  return rows[0]
}

/** How far tables have come in this log: those of another, or of one that was set back behind them, to nowhere. */
export const positionIn = (logId: string, target: Pick<Target, 'position' | 'logId'>): Position =>
  target.logId === logId ? target.position : START

/** What readers see of this log: the position of each live projection. */
export async function livePositions(db: Db, logId: string): Promise<Map<string, Position>> {
  const { rows } = await db.query<Pick<Target, 'name' | 'position' | 'logId'>>(
    `select name, position, epoch as "logId" from app.projection where state = 'live'`,
  )
  return new Map(rows.map((live) => [live.name, positionIn(logId, live)]))
}

/** Those of this log: they see what is in it behind the set-backs that were noted so far. */
export async function insertTarget(
  db: Db,
  target: Pick<Target, 'name' | 'version' | 'generation'>,
  logId: string,
): Promise<void> {
  await db.query(
    `with made as (insert into app.projection_target (name, version, generation, state, set_back)
         values ($1, $2, $3, 'filling', (select id from app.set_back where log_id = $5))
       returning name, version, generation)
     insert into app.projection_checkpoint (name, version, generation, step, position) select made.*, 0, $4 from made`,
    [target.name, target.version, target.generation, START, logId],
  )
}

/** What the rate is worth by the time of reading: it halves in about seven seconds without events. */
const FADED = `events_per_second * exp(-least(60, greatest(0, extract(epoch from now() - rated_at)) / 10))`

/** A target's step. Behind it may be as many as there were batches, for as long as a backup, or any other snapshot, looks at them. */
const NEWEST = '(select n.step from app.newest_checkpoint(t.name, t.version, t.generation) n)'

const AT_NEWEST = `c.name = t.name and c.version = t.version and c.generation = t.generation and c.step = ${NEWEST}`

const OF_MANY = 'c.name = due.name and c.version = due.version and c.generation = due.generation and c.step = due.step'
/** Where Postgres believes that the table has one row, it otherwise looks for that among all steps. */
const OF_ONE = `c.name = ($1::text[])[1] and c.version = ($2::integer[])[1] and c.generation = ($3::integer[])[1] and c.step =
        (select n.step from app.newest_checkpoint(($1::text[])[1], ($2::integer[])[1], ($3::integer[])[1]) n)`

/**
 * What one target's checkpoint becomes: `to` is its new position, behind so many more events of the log, of which `anchor` is the
 * last that is known; without one the earlier stays.
 */
export type CheckpointMove = {
  readonly target: Target
  readonly to: Position
  readonly logId: string | null
  readonly passed: number
  readonly clock: Date | null
  readonly anchor?: Anchor | undefined
}

/**
 * Answers how many checkpoints were at their target's position in this log, and moved. Locks the targets until the
 * transaction ends, always in the same order, so another process that read the same positions finds them moved. One that is
 * not live is moved only by who knows it as that and fills it, and a live one not while it is paused.
 */
export async function compareAndSwapCheckpoints(db: Db, moves: readonly CheckpointMove[]): Promise<number> {
  const many = moves.length > 1
  const column = (value: (move: CheckpointMove) => unknown) => moves.map(value)
  const { rowCount } = await db.query({
    name: many ? 'compare and swap checkpoints' : 'compare and swap a checkpoint',
    text: `update app.projection_checkpoint c set step = c.step + 1, position = due.upto,
        epoch = coalesce(c.epoch, due.log), error = null, clock = greatest(c.clock, due.clock), anchor = coalesce(due.anchor, c.anchor),
        updated_at = now(),
        events_per_second = ${FADED} + due.passed / 10, rated_at = now()
      from (select t.name, t.version, t.generation, ${NEWEST} as step, m.position, m.upto, m.log, m.passed, m.clock, m.anchor
        from unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::double precision[],
          $8::timestamptz[], $9::text[], $10::jsonb[])
          m(name, version, generation, position, upto, log, passed, clock, state, anchor)
        join app.projection_target t using (name, version, generation)
        where t.state in ('live', m.state)
          and (t.state <> 'live' or not exists (select from app.projection_pause s where s.name = t.name))
        order by t.name, t.version, t.generation for update of t) due
      where ${many ? OF_MANY : OF_ONE} and c.position = due.position and (c.epoch is null or due.log is null or c.epoch = due.log)`,
    values: [
      column(({ target }) => target.name),
      column(({ target }) => target.version),
      column(({ target }) => target.generation),
      column(({ target }) => target.position),
      column(({ to }) => to),
      column(({ logId }) => logId),
      column(({ passed }) => passed),
      column(({ clock }) => clock?.toISOString() ?? null),
      column(({ target }) => target.state),
      column(({ anchor }) => (anchor ? JSON.stringify(anchor) : null)),
    ],
  })
  return rowCount ?? 0
}

/** Events per second of each target, newest first, as they are at this moment. */
export async function listRates(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<Target & { rate: number }>(
    `select name, version, generation, ${FADED} as rate from app.projection`,
  )
  return new Map(rows.map((row) => [schemaOf(row), row.rate]))
}

export async function noteError(db: Db, target: Target, error: string): Promise<void> {
  await db.query(
    `update app.projection_checkpoint c set error = $4 from app.projection_target t
     where ${SAME_TARGET} and ${AT_NEWEST} and error is distinct from $4`,
    [...idOf(target), error],
  )
}

/** Behind the id of a log, of which tables are no more. */
const BEFORE = ' before it was set back'

/**
 * A set-back has one id, however many tables are noted for it, by whichever processes: only tables that were made or followed behind
 * the latest are known to have seen the log as it was after that. Nobody else may note one before the transaction ends.
 */
async function identifySetBack(db: Db, target: Target): Promise<void> {
  await db.query(
    `insert into app.set_back (log_id, id, noted_at)
     select c.epoch, left(gen_random_uuid()::text, 8), clock_timestamp()
     from app.projection_target t join app.projection_checkpoint c on ${AT_NEWEST}
     where ${SAME_TARGET} and c.epoch = $4
       and not exists (select from app.set_back s where s.log_id = c.epoch and s.id is distinct from t.set_back)
     on conflict (log_id) do update set id = excluded.id, noted_at = excluded.noted_at`,
    [...idOf(target), target.logId],
  )
}

/**
 * Its log was set back behind it, and comes to its position again with other events: its tables are of this log no more, however far
 * others bring them meanwhile. Those that were made in its place meanwhile are not. Answers the target as it is then; needs a transaction.
 */
export async function noteSetBack(db: Db, target: Target): Promise<Target> {
  const logId = `${target.logId}${BEFORE}`
  // Before the target: who notes several would otherwise wait for one that waits for it.
  await db.query('lock table app.set_back in share row exclusive mode')
  await lockTarget(db, target)
  await identifySetBack(db, target)
  await db.query(
    `update app.projection_checkpoint c set epoch = $4 from app.projection_target t
    where ${SAME_TARGET} and ${AT_NEWEST} and c.epoch = $5`,
    [...idOf(target), logId, target.logId],
  )
  return { ...((await findTarget(db, target)) ?? target), logId }
}

/** Tables of this log that are followed see what is in it behind the set-back that was noted last; in a transaction. */
export async function followBehindSetBack(db: Db, logId: string): Promise<void> {
  await db.query(
    `update app.projection_target t set set_back = s.id from app.set_back s, app.projection p
     where s.log_id = $1 and p.epoch = $1 and t.set_back is distinct from s.id
       and (p.name, p.version, p.generation) = (t.name, t.version, t.generation)`,
    [logId],
  )
}

/** Tables that a release noted which knew no ids of set-backs (`app.set_back`). */
export async function identifyNoted(db: Db, logId: string): Promise<void> {
  await db.query(
    `insert into app.set_back (log_id, id, noted_at) select $1::text, left(gen_random_uuid()::text, 8), clock_timestamp()
     where exists (select from app.projection where epoch = $1 || '${BEFORE}') on conflict do nothing`,
    [logId],
  )
}

export async function setState(db: Db, target: Target, state: TargetState): Promise<void> {
  await db.query(
    `with t as (update app.projection_target t set state = $4 where ${SAME_TARGET} returning name, version, generation)
     update app.projection_checkpoint c set updated_at = now() from t where ${AT_NEWEST}`,
    [...idOf(target), state],
  )
}

export async function deleteTarget(db: Db, target: Target): Promise<void> {
  await db.query(`delete from app.projection_target t where ${SAME_TARGET}`, idOf(target))
}

/** To the end of the transaction its checkpoint stays, and its rows are nobody else's to change. */
export async function lockTarget(db: Db, target: Target): Promise<void> {
  await db.query(`select from app.projection_target where ${SAME} for update`, idOf(target))
}

/** A lock to the end of the transaction: only one process at a time makes or swaps the tables of a projection. */
export async function lockProjection(db: Db, name: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('projection'), hashtext($1))`, [name])
}
