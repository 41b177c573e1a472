import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import {
  compareAndSwapCheckpoints,
  findTarget,
  listTargets,
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

/** So many more read models, whose checkpoints moved little; and Postgres samples the table. */
async function sampleBeside(more: number): Promise<void> {
  await rig.pool.query(
    `with made as (insert into app.projection_target (name, version, generation, state)
       select 'beside ' || n || ' of ' || $1::text, 1, 1, 'live' from generate_series(1, $1::integer) n returning name, version, generation)
     insert into app.projection_checkpoint (name, version, generation, step, position) select made.*, 0, $2 from made`,
    [more, positionAt(1)],
  )
  await rig.pool.query('analyze app.projection_checkpoint')
}

async function expectFewPages(target: Target, n: number, others: readonly Target[] = []): Promise<Target> {
  const looking = explaining(rig.pool)
  await findTarget(looking.db, target)
  expect(looking.pages()).toBeLessThanOrEqual(5)
  const all = explaining(rig.pool)
  await livePositions(all.db, 'log')
  expect(all.pages()).toBeLessThanOrEqual(5 * (await listTargets(rig.pool)).length)
  const to = positionAt(n) as Position
  const moves = [target, ...others].map((one) => ({ target: one, to, logId: 'log', passed: 1, clock: null }))
  const moving = await inTransaction(rig.pool, async (db) => {
    const moving = explaining(db)
    await compareAndSwapCheckpoints(moving.db, moves)
    return moving.pages()
  })
  expect(moving).toBeLessThanOrEqual(20 * moves.length)
  return { ...target, position: to }
}

test('whatever a long snapshot keeps, a checkpoint is found and moved by reading a few pages', async () => {
  const reader = await rig.pool.connect()
  onTestFinished(() => reader.release(true))
  const { target: made } = (await findOrMakeTarget(rig.pool, rig.log, tallies)) as { target: Target } & object
  await setState(rig.pool, made, 'live')
  let target: Target = { ...made, state: 'live' }
  await reader.query('begin isolation level repeatable read')
  await reader.query('select count(*) from app.projection')
  for (let n = 1; n <= BATCHES; n++) {
    const to = positionAt(n) as Position
    const move = { target, to, logId: 'log', passed: 1, clock: null }
    expect(await inTransaction(rig.pool, (db) => compareAndSwapCheckpoints(db, [move]))).toBe(1)
    target = { ...target, position: to }
  }
  target = await expectFewPages(target, BATCHES + 1)
  for (const [more, n] of [
    [0, BATCHES + 2],
    [1, BATCHES + 3],
    [11, BATCHES + 4],
  ] as const) {
    await sampleBeside(more)
    const others = (await listTargets(rig.pool)).filter(({ name }) => name.startsWith('beside'))
    target = await expectFewPages(target, n)
    target = await expectFewPages(target, n + 10, others)
  }
  expect((await livePositions(rig.pool, 'log')).get('tallies')).toBe(target.position)
  const seen = await reader.query(`select position from app.projection where name = 'tallies'`)
  expect(seen.rows[0].position).toBe(made.position)
})
