import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import {
  compareAndSwapCheckpoints,
  findTarget,
  livePositions,
  setState,
  type Target,
} from '../../../projections/engine/checkpoints.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { positionAt } from '../../support/recorded.ts'
import { tallies } from '../../support/toy-projections.ts'
import { type EngineRig, startEngineRig } from '../engine-rig.ts'

let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterAll(() => rig.stop())

const BATCHES = 2_000

/** A connection that runs what it is asked and notes how many pages each statement read. */
function explaining(db: Pick<pg.ClientBase, 'query'>) {
  const read: number[] = []
  const query = async (asked: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
    const { text, values: given } = typeof asked === 'string' ? { text: asked, values } : asked
    const { rows } = await db.query(`explain (analyze, buffers, format json) ${text}`, given)
    const { Plan } = rows[0]['QUERY PLAN'][0]
    read.push(Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'])
    return { rows: [], rowCount: Plan['Actual Rows'] }
  }
  return { db: { query } as never as pg.Pool, pages: () => Math.max(...read) }
}

test('whatever a long snapshot keeps, a checkpoint is found and moved by reading a few pages', async () => {
  const reader = await rig.pool.connect()
  onTestFinished(() => reader.release(true))
  const { target: made } = (await findOrMakeTarget(rig.pool, rig.log, tallies)) as { target: Target } & object
  await setState(rig.pool, made, 'live')
  let target: Target = { ...made, state: 'live' }
  await reader.query('begin isolation level repeatable read')
  await reader.query('select count(*) from app.projection')
  const moveOn = async (db: Pick<pg.ClientBase, 'query'>, n: number) => {
    const to = positionAt(n) as Position
    const moved = await compareAndSwapCheckpoints(db, [{ target, to, logId: 'log', passed: 1, clock: null }])
    target = { ...target, position: to }
    return moved
  }
  for (let n = 1; n <= BATCHES; n++) expect(await inTransaction(rig.pool, (db) => moveOn(db, n))).toBe(1)
  const looking = explaining(rig.pool)
  await findTarget(looking.db, target)
  expect(looking.pages()).toBeLessThanOrEqual(5)
  const all = explaining(rig.pool)
  await livePositions(all.db)
  expect(all.pages()).toBeLessThanOrEqual(5)
  const moving = await inTransaction(rig.pool, async (db) => {
    const moving = explaining(db)
    await moveOn(moving.db as never, BATCHES + 1)
    return moving.pages()
  })
  expect(moving).toBeLessThanOrEqual(20)
  expect((await livePositions(rig.pool)).get('tallies')).toBe(target.position)
  const seen = await reader.query(`select position from app.projection where name = 'tallies'`)
  expect(seen.rows[0].position).toBe(made.position)
})
