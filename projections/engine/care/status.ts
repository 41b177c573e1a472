import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { Log } from '../../../eventstore/log.ts'
import { isFull } from '../../../eventstore/log-pages.ts'
import type { Projection } from '../../projection.ts'
import { inState, listRates, listTargets, schemaOf, type Target, type TargetState } from '../checkpoints.ts'
import { listFilled, listFollowed, listSeen } from '../leases.ts'
import { listPaused } from './pause.ts'
import { listRebuilding } from './rebuild-lock.ts'
import { keptUntil } from './unfollowed-tables.ts'
import { listUnknown } from './unknown-tables.ts'

/** `more`: there is more behind than was counted. Bytes are those of data and metadata as JSON. */
export type LogLag = {
  readonly events: number
  readonly bytes: number
  readonly seconds: number
  readonly more: boolean
}

/** One set of tables. */
export type TargetStatus = {
  readonly schema: string
  readonly version: number
  readonly state: TargetState
  readonly position: Position
  /** null for retired tables, which follow nothing. */
  readonly lag: LogLag | null
  readonly eventsPerSecond: number
  /** Why it does not move; names an event where one is to blame, never its content. */
  readonly error: string | null
  readonly updatedAt: Date
  readonly diskBytes: number
  /** When tables go at the latest that are retired, whose filling was left, or that no release follows; null for others. */
  readonly keptUntil: Date | null
}

/** An event that live quarantined. */
export type FailedEvent = {
  readonly id: string
  readonly type: string
  readonly stream: string
  readonly revision: number
  readonly reason: string
  readonly at: Date
}

export type ProjectionOverview = {
  readonly name: string
  /** Of this code; null for a read model of another release, which this code does not have. */
  readonly version: number | null
  /** A process that is there has it, or a command fills tables of it. */
  readonly isFollowed: boolean
  readonly pausedSince: Date | null
  readonly quarantined: number
  /** The last event that could not be applied, those that wait behind it left out. */
  readonly lastFailed: FailedEvent | null
  /** Live first, then filling, then retired. */
  readonly targets: readonly TargetStatus[]
}

export type StatusDeps = {
  readonly pool: pg.Pool
  readonly log: Pick<Log, 'readAll'>
  /** All of this code. */
  readonly projections: readonly Projection[]
  /** Which are asked for; all that there are when absent. */
  readonly names?: readonly string[]
  readonly now: () => Date
  /** How many events of the lag are counted at most. */
  readonly counted?: number
}

const COUNTED = 10_000
const ORDER: readonly TargetState[] = ['live', 'filling', 'retired']

/** The state of every read model, those of other releases last, for operators: no personal data. */
export async function projectionStatus(deps: StatusDeps): Promise<ProjectionOverview[]> {
  const { pool, projections, names } = deps
  const [targets, rates, sizes, paused, quarantines, rebuilding, filled, followed, seen, unknown] = await Promise.all([
    listTargets(pool),
    listRates(pool),
    diskUse(pool),
    listPaused(pool),
    quarantinesByName(pool),
    listRebuilding(pool),
    listFilled(pool),
    listFollowed(pool),
    listSeen(pool),
    listUnknown(pool, projections),
  ])
  const lagOf = lags(deps)
  const lastOf = ({ name, updatedAt }: Target) => new Date(Math.max(+updatedAt, +(seen.get(name) ?? 0)))
  const statusOf = async (target: Target, isLeft: boolean): Promise<TargetStatus> => {
    const schema = schemaOf(target)
    const { version, state, position, error, updatedAt } = target
    const [eventsPerSecond, diskBytes] = [rates.get(schema) ?? 0, sizes.get(schema) ?? 0]
    const until = state === 'retired' || isLeft ? keptUntil(state === 'live' ? lastOf(target) : updatedAt) : null
    const of = { schema, version, state, position, error, updatedAt }
    return { ...of, lag: await lagOf(target), eventsPerSecond, diskBytes, keptUntil: until }
  }
  const models = [...projections, ...unknown.map((name) => ({ name, version: null }))]
  const asked = models.filter(({ name }) => names?.includes(name) ?? true)
  return Promise.all(
    asked.map(async ({ name, version }) => {
      const own = targets.filter((one) => one.name === name)
      own.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
      const isFollowed = followed.has(name) || rebuilding.has(name)
      const isFillingLeft = inState(own, 'live') !== undefined && !rebuilding.has(name) && !filled.has(name)
      const isLeft = ({ state }: Target) => (version === null && !isFollowed) || (state === 'filling' && isFillingLeft)
      const shown = await Promise.all(own.map((target) => statusOf(target, isLeft(target))))
      const { quarantined = 0, lastFailed = null } = quarantines.get(name) ?? {}
      const pausedSince = paused.get(name) ?? null
      return { name, version, isFollowed, pausedSince, quarantined, lastFailed, targets: shown }
    }),
  )
}

/** Most read models stand at the same position: each position is counted from once. */
function lags({ log, now, counted = COUNTED }: StatusDeps): (target: Target) => Promise<LogLag | null> {
  const known = new Map<Position, Promise<LogLag>>()
  const count = async (position: Position): Promise<LogLag> => {
    const missing = await log.readAll(position, counted)
    const bytes = missing.reduce((sum, { data, metadata }) => sum + sizeOf(data) + sizeOf(metadata), 0)
    const waited = missing[0] ? now().getTime() - missing[0].recordedAt.getTime() : 0
    return { events: missing.length, bytes, seconds: Math.max(0, waited / 1_000), more: isFull(missing, counted) }
  }
  return async ({ state, position }) => {
    if (state === 'retired') return null
    if (!known.has(position)) known.set(position, count(position))
    return known.get(position)!
  }
}

const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value))

async function diskUse(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ schema: string; bytes: string }>(
    `select n.nspname as schema, sum(pg_total_relation_size(c.oid)) as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname like 'p\\_%' group by 1`,
  )
  return new Map(rows.map(({ schema, bytes }) => [schema, Number(bytes)]))
}

type Quarantine = { quarantined: number; lastFailed: FailedEvent | null }

async function quarantinesByName(pool: pg.Pool): Promise<Map<string, Quarantine>> {
  const { rows } = await pool.query<FailedEvent & { name: string; total: string }>(
    `select distinct on (q.name) q.name, event_id as id, type, stream, revision::integer as revision, reason, at,
       count(*) over (partition by q.name) as total
     from app.quarantine q join app.projection p using (name, version, generation) where p.state = 'live'
     order by q.name, reason like 'waits behind %', q.position desc`,
  )
  return new Map(
    rows.map(({ name, total, ...failed }) => [name, { quarantined: Number(total), lastFailed: { ...failed } }]),
  )
}
