import type pg from 'pg'
import { keepRunning, onceEachTime } from '../../../eventstore/retry.ts'

type Db = Pick<pg.Pool, 'query'>

/** Stops a projection at its position, in every process, until it is resumed; false when it was paused already. */
export async function pauseProjection(db: Db, name: string): Promise<boolean> {
  const { rowCount } = await db.query('insert into app.projection_pause (name) values ($1) on conflict do nothing', [
    name,
  ])
  return rowCount === 1
}

/** False when it was not paused. */
export async function resumeProjection(db: Db, name: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from app.projection_pause where name = $1', [name])
  return rowCount === 1
}

/** The paused projections, each with since when. */
export async function listPaused(db: Db): Promise<Map<string, Date>> {
  const { rows } = await db.query<{ name: string; since: Date }>(
    'select name, paused_at as since from app.projection_pause',
  )
  return new Map(rows.map(({ name, since }) => [name, since]))
}

const LOOK_EVERY_MS = 500

/**
 * Answers which are paused, again and again until the signal aborts, also when nothing changed. `onLost` gets why that is not known,
 * once each time.
 */
export function watchPaused(
  db: Db,
  signal: AbortSignal,
  onPaused: (paused: ReadonlyMap<string, Date>) => void,
  onLost: (error: unknown) => void,
): Promise<void> {
  const { failed, worked } = onceEachTime(onLost)
  const look = async () => {
    onPaused(await listPaused(db))
    worked()
  }
  return keepRunning(signal, look, failed, LOOK_EVERY_MS)
}
