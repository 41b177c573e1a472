import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import { migrateTo, migrateToLatest } from '../../../migrations/index.ts'
import { message } from '../../../projections/conversations/message-table.ts'
import {
  compareAndSwapCheckpoints,
  findTarget,
  listTargets,
  setState,
  type Target,
} from '../../../projections/engine/checkpoints.ts'
import { deleteOwed, listOwed, noteOwed } from '../../../projections/engine/owed/owed.ts'
import { testDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

/** The last release that has one table for what a read model is and where it stands. */
const BEFORE = '20260101T004800Z-projection-clock'
const SAME = 'name = $1 and version = $2 and generation = $3'
const FADED = `events_per_second * exp(-least(60, greatest(0, extract(epoch from now() - rated_at)) / 10))`

/** As the release before asks it. */
const MOVE = (
  many: boolean,
) => `update app.projection set position = due.upto, epoch = coalesce(projection.epoch, due.log), error = null,
        clock = greatest(projection.clock, due.clock), updated_at = now(), events_per_second = ${FADED} + due.passed / 10, rated_at = now()
      from (select p.name, p.version, p.generation, m.upto, m.log, m.passed, m.clock
        from unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::double precision[],
          $8::timestamptz[]) m(name, version, generation, position, upto, log, passed, clock)
        join app.projection p using (name, version, generation)
        where p.position = m.position and p.state <> 'retired'
          and (p.state <> 'live' or not exists (select from app.projection_pause s where s.name = p.name))
        order by p.name, p.version, p.generation for update of p ${many ? 'nowait' : ''}) due
      where projection.name = due.name and projection.version = due.version
        and projection.generation = due.generation`

type Db = Pick<pg.ClientBase, 'query'>
const idOf = ({ name, version, generation }: Target) => [name, version, generation]

const before = {
  insert: (db: Db, name: string) =>
    db.query(
      `insert into app.projection (name, version, generation, state, position) values ($1, 1, 1, 'filling', '0')`,
      [name],
    ),
  move: async (db: Db, targets: readonly Target[], to: string) => {
    const column = (value: (target: Target) => unknown) => targets.map(value)
    const many = targets.length > 1
    const { rowCount } = await db.query({
      name: many ? 'move checkpoints' : 'move a checkpoint',
      text: MOVE(many),
      values: [
        ...[column(({ name }) => name), column(() => 1), column(() => 1), column(({ position }) => position)],
        ...[column(() => to), column(() => 'log'), column(() => 3), column(() => null)],
      ],
    })
    return rowCount
  },
  live: (db: Db, target: Target) =>
    db.query(`update app.projection set state = $4, updated_at = now() where ${SAME}`, [...idOf(target), 'live']),
  fail: (db: Db, target: Target) =>
    db.query(`update app.projection set error = $4 where ${SAME}`, [...idOf(target), 'x']),
  drop: (db: Db, target: Target) => db.query(`delete from app.projection where ${SAME}`, idOf(target)),
  lock: (db: Db, name: string) =>
    db.query(`select from app.projection where name = $1 and state = 'live' for update`, [name]),
}

const now = (db: Db, targets: readonly Target[], to: string) =>
  compareAndSwapCheckpoints(
    db,
    targets.map((target) => ({ target, to: to as Position, logId: 'log', passed: 1, clock: null })),
  )

/** A process of the release before is at work as the new one migrates: two read models, filled up to 5. */
async function upgraded() {
  const database = await testDatabase()
  const pool = new pg.Pool({ ...database.config, max: 6 })
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const old = new pg.Client(database.config)
  await old.connect()
  onTestFinished(async () => {
    await old.end()
    await db.destroy()
    await database.drop()
  })
  await migrateTo(db, BEFORE)
  for (const name of ['a', 'b']) await before.insert(old, name)
  const made = (await old.query<Target>('select * from app.projection order by name')).rows
  for (const target of made) {
    await before.live(old, target)
    expect(await before.move(old, [target], '5')).toBe(1)
  }
  expect(await before.move(old, [...made.map((one) => ({ ...one, position: '5' as Position }))], '6')).toBe(2)
  const table = (await old.query('select * from app.projection order by name')).rows
  await migrateToLatest(db)
  return { pool, db, old, table, targets: await listTargets(pool) }
}

test('an upgrade brings every checkpoint along, and takes it back', async () => {
  const { db, old, table, targets } = await upgraded()
  const rows = async () => (await old.query('select * from app.projection order by name')).rows
  expect(await rows()).toEqual(table)
  expect(targets.map(({ position, state, logId }) => [position, state, logId])).toEqual([
    ['6', 'live', 'log'],
    ['6', 'live', 'log'],
  ])
  await migrateTo(db, BEFORE)
  expect(await rows()).toEqual(table)
})

test('a process of the release before moves what the new one moves, and neither moves what the other did', async () => {
  const { pool, old, targets } = await upgraded()
  expect(await before.move(old, targets, '7')).toBe(2)
  expect(await now(pool, targets, '7')).toBe(0)
  const at7 = await listTargets(pool)
  expect(at7.map(({ position }) => position)).toEqual(['7', '7'])
  expect(await now(pool, at7, '8')).toBe(2)
  expect(await before.move(old, at7, '8')).toBe(0)
  const [one] = await listTargets(pool)
  await before.fail(old, one!)
  expect(await findTarget(pool, one!)).toMatchObject({ error: 'x', position: '8' })
  expect(await before.move(old, [one!], '9')).toBe(1)
  expect(await findTarget(pool, one!)).toMatchObject({ error: null, position: '9' })
  await before.insert(old, 'c')
  expect((await listTargets(pool, 'c'))[0]).toMatchObject({ state: 'filling', position: '0' })
  await before.drop(old, (await listTargets(pool, 'c'))[0]!)
  expect(await listTargets(pool, 'c')).toEqual([])
})

test('of two at once, of either release, one waits and moves nothing', async () => {
  const { pool, old, targets } = await upgraded()
  const [one] = targets
  const waits = () =>
    until('one waits', async () => {
      const { rows } = await pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length === 1
    })
  const fresh = await pool.connect()
  onTestFinished(() => fresh.release(true))
  await fresh.query('begin')
  expect(await now(fresh, [one!], '7')).toBe(1)
  await expect(before.move(old, targets, '7')).rejects.toMatchObject({ code: '55P03' })
  const late = before.move(old, [one!], '7')
  await waits()
  await fresh.query('commit')
  expect(await late).toBe(0)
  const at7 = (await findTarget(pool, one!))!
  await old.query('begin')
  expect(await before.move(old, [at7], '8')).toBe(1)
  const lateToo = now(pool, [at7], '8')
  await waits()
  await old.query('commit')
  expect(await lateToo).toBe(0)
  const third = (await findTarget(pool, one!))!
  await fresh.query('begin')
  await before.lock(old, 'a')
  await setState(fresh, third, 'retired')
  const retired = before.move(old, [third], '9')
  await waits()
  await fresh.query('commit')
  expect(await retired).toBe(0)
})

test('tables that the new one moves in this moment become live by the release before all the same', async () => {
  const { pool, old } = await upgraded()
  await before.insert(old, 'c')
  const [one] = await listTargets(pool, 'c')
  const fresh = await pool.connect()
  onTestFinished(() => fresh.release(true))
  await fresh.query('begin')
  expect(await now(fresh, [one!], '7')).toBe(1)
  const live = before.live(old, one!)
  await until('one waits', async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length === 1
  })
  await fresh.query('commit')
  await live
  expect(await findTarget(pool, one!)).toMatchObject({ state: 'live', position: '7' })
})

test('the release before moves no read model that owes rows of an erasure, and all others', async () => {
  const { pool, old, targets } = await upgraded()
  const [one, other] = targets as [Target, Target]
  await noteOwed(pool, one, 'message', { table: message, where: { from_member: 'x' }, set: null })
  await expect(before.move(old, [one], '7')).rejects.toMatchObject({ code: '55000' })
  await expect(before.move(old, targets, '7')).rejects.toMatchObject({ code: '55000' })
  expect(await before.move(old, [other], '7')).toBe(1)
  await before.fail(old, one)
  expect(await findTarget(pool, one)).toMatchObject({ position: '6', error: 'x' })
  expect(await now(pool, [one], '7')).toBe(1)
  const [owed] = await listOwed(pool, one)
  await deleteOwed(pool, one, owed!)
  expect(await before.move(old, [(await findTarget(pool, one))!], '8')).toBe(1)
})
