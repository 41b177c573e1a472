import type pg from 'pg'
import { counted } from '../../../domain/shared/counted.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { AnyTable, Projection } from '../../projection.ts'
import { findLive, findTarget, schemaOf, type Target } from '../checkpoints.ts'
import { type AnyRow, layoutOf } from '../columns.ts'
import { listOwed } from '../owed/owed.ts'
import { tableIn } from '../rows.ts'
import { isAlive, quoted } from '../sql.ts'
import { GIVES_WAY, inTransaction, onOwnConnection } from '../transaction.ts'
import { listPaused } from './pause.ts'

/** A row by its key, as either side has it; `columns` are those that differ, all for a row of one side only. */
export type DifferingRow = {
  readonly table: string
  readonly key: AnyRow
  readonly side: 'differs' | 'only live' | 'only new'
  readonly columns: readonly string[]
}

export type TableVerdict = {
  readonly table: string
  readonly rows: { readonly live: number; readonly fresh: number }
  /** Of all rows in any order; null where the tables have no columns in common. */
  readonly hash: { readonly live: string; readonly fresh: string }
  /** Columns that one side alone has. */
  readonly unlike: readonly string[]
  /** The first ones, by key. */
  readonly differing: readonly DifferingRow[]
}

export type RebuildVerdict = {
  readonly same: boolean
  /** The position of both sides. */
  readonly position: Position
  readonly live: Target
  readonly fresh: Target
  readonly tables: readonly TableVerdict[]
  readonly seconds: number
}

/** Rows of each table on either side, in a line that names no row. */
export function verdictText(verdict: RebuildVerdict | null): string {
  if (!verdict) return 'nothing complete to compare with at the same position of the log'
  return verdict.tables
    .map(({ table, rows, hash }) => {
      const same = rows.live === rows.fresh && hash.live === hash.fresh && hash.live !== ''
      return `${table} ${counted(rows.fresh, 'row')}, ${same ? 'the same' : `others than the ${rows.live} live`}`
    })
    .join('; ')
}

export type VerifyDeps = {
  readonly pool: pg.Pool
  readonly projection: Projection
  /** Bring the new tables, or those that readers see, to a position; the latter may fail to. */
  readonly catchUp: (to: Position) => Promise<void>
  readonly bringLive: (to: Position) => Promise<unknown>
  /** What erasures have left to later in what readers see; false where nobody pays it. */
  readonly payLive: () => Promise<boolean>
}

/** Erasures that come one after the other while tables are to be compared. */
const TRIES = 5
/** Differing rows that are named. */
const NAMED = 20

/** Tables that readers see did not come to where the new ones are, or owed something that nobody pays, or whenever they were to be compared. */
export class NotCompared extends Error {
  override name = 'NotCompared'
}

/**
 * Compares new tables with those that readers see, both at the same position: live stands still only while the snapshot
 * is taken. Null when there is nothing to compare with, live is of another log, or of another version and nobody brings it to where
 * the new ones are: those may differ anyway. Throws NotCompared.
 */
export async function verifyFilled(deps: VerifyDeps, target: Target): Promise<RebuildVerdict | null> {
  const { pool, projection } = deps
  const startedAt = performance.now()
  const work = async (reader: pg.PoolClient) => {
    const sides = await snapshotAt(deps, reader, target)
    if (!sides) return null
    const tables: TableVerdict[] = []
    for (const table of projection.tables) tables.push(await compare(reader, table, sides.live, sides.fresh))
    const same = tables.every(
      ({ differing, hash, rows }) => differing.length === 0 && sameSides(hash) && sameSides(rows),
    )
    const seconds = (performance.now() - startedAt) / 1_000
    return { same, position: sides.live.position, ...sides, tables, seconds }
  }
  const ending = (reader: pg.PoolClient) => work(reader).finally(() => reader.query('rollback').catch(() => undefined))
  return onOwnConnection(pool, ending)
}

type Sides = { readonly live: Target; readonly fresh: Target }

/** Live is complete only once it owes nothing; whoever feeds it pays, or `payLive` does. */
async function snapshotAt(deps: VerifyDeps, reader: pg.PoolClient, target: Target): Promise<Sides | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const sides = await snapshotNow(deps, reader, target)
    if (sides !== 'owes') return sides
    if (!(await deps.payLive())) break
  }
  throw new NotCompared(
    `${target.name} was not compared with live, which has yet to take away rows of erased members. The new tables are kept: try again.`,
  )
}

const pausedBefore = ({ name }: Target) =>
  new NotCompared(
    `${name} was not compared with live, which is paused at an earlier position. The new tables are kept: resume it and try again.`,
  )

const behind = ({ name }: Target) =>
  new NotCompared(
    `${name} was not compared with live, which did not come to the position of the new tables. Those are kept: look at "status", and try again once live moves on.`,
  )

async function snapshotNow(deps: VerifyDeps, reader: pg.PoolClient, target: Target): Promise<Sides | 'owes' | null> {
  const { pool, projection, catchUp, bringLive } = deps
  const at = await findTarget(pool, target)
  const before = await findLive(pool, projection.name)
  if (!at || !before || before.logId !== at.logId) return null
  if (before.position < at.position) await bringLive(at.position)
  const work = async (db: pg.ClientBase) => {
    await db.query(`select from app.projection where name = $1 and state = 'live' for share`, [projection.name])
    const live = await findLive(db, projection.name)
    if (!live) return null
    if ((await listOwed(db, live)).length > 0) return 'owes'
    if (live.position < at.position && (await listPaused(db)).has(live.name)) throw pausedBefore(live)
    await catchUp(live.position)
    await reader.query('begin isolation level repeatable read read only')
    const fresh = await findTarget(reader, target)
    if (fresh?.logId !== live.logId) return null
    if (fresh.position === live.position) return { live, fresh }
    if (fresh.version === live.version) throw behind(live)
    return null
  }
  return inTransaction(pool, work, GIVES_WAY)
}

const sameSides = ({ live, fresh }: { live: unknown; fresh: unknown }) => live === fresh

async function compare(db: pg.ClientBase, table: AnyTable, live: Target, fresh: Target): Promise<TableVerdict> {
  const [before, after] = [await columnsOf(db, live, table), await columnsOf(db, fresh, table)]
  const common = after.filter((name) => before.includes(name))
  const unlike = [...before, ...after].filter((name) => !common.includes(name))
  const clock = latest(live.clock, fresh.clock)
  const sides = { live: rowsOf(live, table, before, clock), fresh: rowsOf(fresh, table, after, clock) }
  const comparable = table.key.every((name) => common.includes(name))
  if (!comparable) {
    const rows = { live: before.length ? await countOf(db, sides.live) : 0, fresh: await countOf(db, sides.fresh) }
    return { table: table.name, rows, hash: { live: '', fresh: '' }, unlike, differing: [] }
  }
  const [one, other] = [await digestOf(db, sides.live, common), await digestOf(db, sides.fresh, common)]
  return {
    table: table.name,
    rows: { live: one.rows, fresh: other.rows },
    hash: { live: one.hash, fresh: other.hash },
    unlike,
    differing: one.hash === other.hash && one.rows === other.rows ? [] : await rowsApart(db, table, sides, common),
  }
}

const latest = (a: Date | null, b: Date | null) => (a && b ? (a > b ? a : b) : (a ?? b))

/** The rows of a side that count, in parentheses: one whose time has passed is none, whether it is removed or not yet. */
function rowsOf(target: Target, table: AnyTable, columns: readonly string[], clock: Date | null): string {
  const { expires } = table
  const all = `select * from ${tableIn(schemaOf(target), layoutOf(table))}`
  const ends = clock && expires && columns.includes(expires)
  return ends ? `(${all} where ${isAlive(quoted(expires), `'${clock.toISOString()}'`)})` : `(${all})`
}

async function columnsOf(db: pg.ClientBase, target: Target, table: AnyTable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select column_name::text as name from information_schema.columns where table_schema = $1 and table_name = $2
     order by ordinal_position`,
    [schemaOf(target), table.name],
  )
  return rows.map(({ name }) => name)
}

async function countOf(db: pg.ClientBase, from: string): Promise<number> {
  const { rows } = await db.query<{ rows: number }>(`select count(*)::integer as rows from ${from} t`)
  return rows[0]!.rows
}

/** Order does not matter: each row's own hash is added up and crossed. */
async function digestOf(db: pg.ClientBase, from: string, columns: readonly string[]) {
  const { rows } = await db.query<{ rows: number; hash: string }>(
    `select count(*)::integer as rows, concat(bit_xor(h), '/', sum(h)) as hash
     from (select hashtextextended(row(${columns.map(quoted).join()})::text, 1) as h from ${from} s) t`,
  )
  return rows[0]!
}

async function rowsApart(
  db: pg.ClientBase,
  table: AnyTable,
  sides: { readonly live: string; readonly fresh: string },
  common: readonly string[],
): Promise<DifferingRow[]> {
  const keys = table.key.map(quoted)
  const differs = common
    .filter((name) => !table.key.includes(name))
    .map((name) => `case when l.${quoted(name)}::text is distinct from f.${quoted(name)}::text then '${name}' end`)
  const [first] = keys
  const { rows } = await db.query<AnyRow & { side_: DifferingRow['side']; apart_: string[] }>(
    `select ${keys.map((key) => `coalesce(l.${key}, f.${key}) as ${key}`).join()},
       case when f.${first} is null then 'only live' when l.${first} is null then 'only new' else 'differs' end as side_,
       array_remove(array[${['null::text', ...differs].join()}], null) as apart_
     from ${sides.live} l full join ${sides.fresh} f
       on ${keys.map((key) => `l.${key} = f.${key}`).join(' and ')}
     where row(${common.map((name) => `l.${quoted(name)}`).join()})::text
       is distinct from row(${common.map((name) => `f.${quoted(name)}`).join()})::text
     order by ${keys.map((_, index) => index + 1).join()} limit ${NAMED}`,
  )
  return rows.map(({ side_, apart_, ...key }) => ({ table: table.name, key, side: side_, columns: apart_ }))
}
