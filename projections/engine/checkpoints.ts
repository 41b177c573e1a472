import type pg from 'pg'
import { type Position, START } from '../../domain/shared/recorded.ts'

/** `filling` is not seen by readers yet, `live` is what they see, `retired` is what they saw before. */
export type TargetState = 'filling' | 'live' | 'retired'

/**
 * One set of tables of a projection. `version` is the code's; a rebuild of the same version counts `generation` up from
 * 1. `epoch` names the log that the position belongs to.
 */
export type Target = {
  readonly name: string
  readonly version: number
  readonly generation: number
  readonly state: TargetState
  readonly position: Position
  readonly epoch: string | null
  readonly error: string | null
  readonly updatedAt: Date
}

type Db = { query: pg.ClientBase['query'] }

const COLUMNS = 'name, version, generation, state, position, epoch, error, updated_at as "updatedAt"'
const SAME = 'name = $1 and version = $2 and generation = $3'
const idOf = ({ name, version, generation }: Target) => [name, version, generation]

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

export async function findTarget(db: Db, target: Target): Promise<Target | undefined> {
  const { rows } = await db.query<Target>(`select ${COLUMNS} from app.projection where ${SAME}`, idOf(target))
  return rows[0]
}

/** What readers see: the position of each live projection. */
export async function livePositions(db: Db): Promise<Map<string, Position>> {
  const { rows } = await db.query<{ name: string; position: Position }>(
    `select name, position from app.projection where state = 'live'`,
  )
  return new Map(rows.map(({ name, position }) => [name, position]))
}

export async function insertTarget(db: Db, target: Pick<Target, 'name' | 'version' | 'generation'>): Promise<void> {
  await db.query(
    `insert into app.projection (name, version, generation, state, position) values ($1, $2, $3, 'filling', $4)`,
    [target.name, target.version, target.generation, START],
  )
}

/** What the rate is worth by the time of reading: it halves in about seven seconds without events. */
const FADED = `events_per_second * exp(-least(60, greatest(0, extract(epoch from now() - rated_at)) / 10))`

/**
 * Compare and swap: true when the checkpoint was at the target's position, and moves past so many events. Locks the row
 * until the transaction ends, so another process that read the same position finds it moved. A retired target moves no
 * more, and a live one not while it is paused.
 */
export async function moveCheckpoint(
  db: Db,
  target: Target,
  to: Position,
  epoch: string | null,
  events = 0,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update app.projection set position = $5, epoch = coalesce(epoch, $6), error = null, updated_at = now(),
       events_per_second = ${FADED} + $7::double precision / 10, rated_at = now()
     where ${SAME} and position = $4 and state <> 'retired'
       and (state <> 'live' or not exists (select from app.projection_pause p where p.name = projection.name))`,
    [...idOf(target), target.position, to, epoch, events],
  )
  return rowCount === 1
}

/** Events per second of each target, newest first, as they are at this moment. */
export async function listRates(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<Target & { rate: number }>(
    `select name, version, generation, ${FADED} as rate from app.projection`,
  )
  return new Map(rows.map((row) => [schemaOf(row), row.rate]))
}

export async function noteError(db: Db, target: Target, error: string): Promise<void> {
  await db.query(`update app.projection set error = $4 where ${SAME}`, [...idOf(target), error])
}

export async function setState(db: Db, target: Target, state: TargetState): Promise<void> {
  await db.query(`update app.projection set state = $4, updated_at = now() where ${SAME}`, [...idOf(target), state])
}

export async function deleteTarget(db: Db, target: Target): Promise<void> {
  await db.query(`delete from app.projection where ${SAME}`, idOf(target))
}

/** A lock to the end of the transaction: only one process at a time makes or swaps the tables of a projection. */
export async function lockProjection(db: Db, name: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('projection'), hashtext($1))`, [name])
}
