import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CheckpointConflict } from '../../../../projections/engine/apply.ts'
import { listTargets, type Target } from '../../../../projections/engine/checkpoints.ts'
import { type Assignment, findOrMakeTarget, removeAsIs, swapIn } from '../../../../projections/engine/targets.ts'
import { lines, tallies } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
const readers = new Set<pg.PoolClient>()
afterEach(() => {
  for (const reader of readers) reader.release(true)
  readers.clear()
  return rig.stop()
})

const states = async (name: string) =>
  (await listTargets(rig.pool, name)).map(({ version, state }) => `${version} ${state}`)

/** A process whose code is of this version, once it feeds what readers see. */
async function liveIn(version: number) {
  const projector = rig.project([
    { ...lines, version },
    { ...tallies, version },
  ])
  await projector.start()
  await until(`version ${version} is live`, () => projector.status().every(({ state }) => state === 'live'))
  return projector
}

/** Somebody who looks at these tables in a transaction that goes on. */
async function longReader(look: string) {
  const client = await rig.pool.connect()
  readers.add(client)
  await client.query(`begin; ${look}`)
  return async () => {
    await client.query('rollback')
    readers.delete(client)
    client.release()
  }
}

test('tables from two swaps before that somebody reads are left to the next swap, and nobody waits for them', async () => {
  await rig.append(stream, sent(ann, bea, 1))
  for (const version of [1, 2]) {
    await liveIn(version)
    await rig.stopProjectors()
  }
  const leave = await longReader('select from p_lines_v1.line')
  const projector = await liveIn(3)
  const last = await rig.append(stream, sent(ann, bea, 2))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  expect([await states('lines'), await states('tallies')]).toEqual([
    ['3 live', '2 retired', '1 retired'],
    ['3 live', '2 retired'],
  ])
  await leave()
  await rig.stopProjectors()
  await liveIn(4)
  await until('older ones are removed', async () => `${await states('lines')}` === '4 live,3 retired')
})

test('a swap that waits for a reader keeps others no longer than a moment, live from nothing, and rests before it tries again', async () => {
  const { pool } = rig
  await liveIn(1)
  const leave = await longReader('lock table app.projection_swap in access share mode')
  const next = rig.project([{ ...lines, version: 2 }])
  await next.start()
  const waiting = async () => {
    const { rows } = await pool.query<{ since: Date; keepsLive: boolean }>(
      `select query_start as since, exists (select from pg_locks l where l.pid = a.pid
         and relation = 'app.projection_target'::regclass and mode = 'RowShareLock') as "keepsLive"
       from pg_stat_activity a where wait_event_type = 'Lock' and query like 'lock table app.projection_swap%'
         and datname = current_database()`,
    )
    return rows[0]
  }
  const first = await until('it waits', waiting)
  const read = await longReader(`set local lock_timeout = '1s'; lock table app.projection_swap in access share mode`)
  await read()
  expect(first.keepsLive).toBe(false)
  const second = await until('it tries again', async () => {
    const again = await waiting()
    return again && again.since > first.since && again
  })
  expect(+second.since - +first.since).toBeGreaterThanOrEqual(1_000)
  await leave()
  await until('it is live', async () => (await states('lines'))[0] === '2 live')
})

/** A swap of version 2, before whose second transaction something happens. */
async function swapWith(between: (target: Target) => Promise<unknown>) {
  await liveIn(1)
  const projection = { ...lines, version: 2 }
  const { target } = (await findOrMakeTarget(rig.pool, rig.log, projection)) as Assignment & { do: 'fill' }
  let connects = 0
  const connect = async () => {
    if (++connects === 2) await between(target)
    return rig.pool.connect()
  }
  return swapIn({ connect } as never, projection, target, async () => {})
}

test('tables that are removed between the look for readers and the swap are not swapped in', async () => {
  await expect(swapWith((target) => removeAsIs(rig.pool, target))).rejects.toThrow(CheckpointConflict)
  expect(await states('lines')).toEqual(['1 live'])
})

test('a swap that a reader comes before, once it has looked for readers, changes nothing', async () => {
  const reading = swapWith(() => longReader('lock table app.projection_swap in access share mode'))
  await expect(reading).rejects.toMatchObject({ code: '55P03' })
  expect(await states('lines')).toEqual(['2 filling', '1 live'])
})
