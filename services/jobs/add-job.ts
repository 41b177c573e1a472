import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { AppDb } from '../app-db.ts'
import { JOBS, type JobKind, type Kinds, type PayloadOf } from './kinds.ts'

export type When = {
  /** By the database's clock. At once when absent. */
  readonly inMs?: number
  /** One that waits already, and comes sooner, keeps its time. */
  readonly orSooner?: boolean
}

/** Of each of these one is done at a time, over all processes: two would look for the same. */
const IN_TURN: readonly string[] = ['sweep', 'derive'] satisfies JobKind[]
export const queueOf = (kind: string): string | null => (IN_TURN.includes(kind) ? kind : null)

/** The same for the same: of one job that waits there is no second. */
export const keyOf = (kind: string, payload: Readonly<Record<string, string>>): string =>
  [kind, ...Object.values(payload)].join(':')

/** For a statement of the caller's own. Throws for a payload with anything but ids. */
export function jobStatement<K extends Kinds, Kind extends keyof K & string>(
  kinds: K,
  kind: Kind,
  payload: PayloadOf<K, Kind>,
  { inMs = 0, orSooner = false }: When = {},
): { text: string; values: unknown[] } {
  const ids = kinds[kind]!.parse(payload)
  return {
    text: `select app.add_job($1, $2::json, $3, now() + $4 * interval '1 millisecond', $5, $6)`,
    values: [kind, JSON.stringify(ids), queueOf(kind), inMs, keyOf(kind, ids), orSooner],
  }
}

/** What a worker has of a job that it took. */
export type TakenJob = { readonly id: string; readonly locked_by: string | null; readonly locked_at: Date | null }
type Again<K extends Kinds, Kind extends keyof K & string> = {
  readonly kinds: K
  readonly kind: Kind
  readonly payload: PayloadOf<K, Kind>
  readonly inMs: number | null
}

/**
 * Ends a job that is done, and adds it again in so many milliseconds, or sooner where it waits for sooner. False, and neither
 * is done, where it is no longer that worker's.
 */
export async function endJob<K extends Kinds, Kind extends keyof K & string>(
  pool: pg.Pool,
  { id, locked_by, locked_at }: TakenJob,
  { kinds, kind, payload, inMs }: Again<K, Kind>,
): Promise<boolean> {
  const taken = [id, locked_by, locked_at]
  if (inMs === null) {
    const { rowCount } = await pool.query('select from app.end_job($1, $2, $3) done where done', taken)
    return rowCount === 1
  }
  const { text, values } = jobStatement(kinds, kind, payload, { inMs: Math.max(0, inMs), orSooner: true })
  const { rowCount } = await pool.query(`${text} from app.end_job($7, $8, $9) done where done`, [...values, ...taken])
  return rowCount === 1
}

/** Adds a job in the transaction that the handle is of; it can be taken once that has committed. */
export async function addJob<Kind extends JobKind>(
  db: AppDb,
  kind: Kind,
  payload: PayloadOf<typeof JOBS, Kind>,
  when?: When,
): Promise<void> {
  const { text, values } = jobStatement(JOBS, kind, payload, when)
  await db.executeQuery(CompiledQuery.raw(text, values))
}

/** Takes a job out that waits; one under way is not tried again. */
export async function removeJob<Kind extends JobKind>(
  db: AppDb,
  kind: Kind,
  payload: PayloadOf<typeof JOBS, Kind>,
): Promise<void> {
  await db.executeQuery(CompiledQuery.raw('select job.remove_job($1)', [keyOf(kind, payload)]))
}
