import { afterEach, beforeEach, expect, test } from 'vitest'
import { planRebuild } from '../../../../projections/engine/care/tables-by-hand.ts'
import { dropUnfollowed } from '../../../../projections/engine/care/unfollowed-tables.ts'
import { NewerCode, rebuild } from '../../../../projections/engine/rebuild.ts'
import type { Projection } from '../../../../projections/projection.ts'
import { lines, tallies } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { appendLoad, type EngineRig, rebuildDepsOf, startEngineRig } from '../../engine-rig.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** The newer release, whose code is at fault. */
const faulty: Projection = {
  ...lines,
  version: 2,
  when: {
    MessageSent: () => {
      throw new Error('a fault of the newer release')
    },
  },
}

/** It begins to fill, is stopped by its breaker, and is rolled back. */
async function beginAndStop() {
  const newer = rig.project([tallies, faulty], { keysMost: 3, restMs: 100 })
  void newer.start()
  await until('it is stuck', () => newer.status().some(({ error }) => error !== null))
  const stop = async () => {
    await newer.stop()
    rig.reports.length = 0
  }
  return { stop }
}
const isLive = (one: ReturnType<EngineRig['project']>) => one.status().every(({ state }) => state === 'live')

test('a first filling that a rolled back release left keeps the older one from nothing', async () => {
  await appendLoad(rig, 3)
  await (await beginAndStop()).stop()
  expect(await planRebuild(rebuildDepsOf(rig), lines)).toMatchObject({ does: 'fills new tables', goes: ['p_lines_v2'] })
  const older = rig.project([tallies, lines])
  await older.start()
  await until('it feeds its own', () => isLive(older))
  expect(await rig.wrongRows([tallies, lines])).toEqual([])
})

test('nor does it where the live tables are of another log', async () => {
  await appendLoad(rig, 3)
  const before = rig.project([tallies, lines])
  await before.start()
  await before.stop()
  await rig.pool.query(`update app.projection_checkpoint set epoch = 'another'`)
  await (await beginAndStop()).stop()
  const older = rig.project([tallies, lines])
  await older.start()
  expect(await older.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
})

test('while the newer release is there, and between two of its tries, the older one leaves its tables alone', async () => {
  await appendLoad(rig, 3)
  const newer = await beginAndStop()
  const older = rig.project([tallies, lines])
  void older.start()
  await until('it stands by', () => older.status().some(({ name, state }) => name === 'lines' && state === 'outdated'))
  expect(await planRebuild(rebuildDepsOf(rig), lines)).toMatchObject({ does: 'nothing', goes: [] })
  await expect(rebuild(rebuildDepsOf(rig), lines)).rejects.toBeInstanceOf(NewerCode)
  await newer.stop()
  await until('it feeds its own', () => isLive(older))
})

test('an erasure removes a first filling that nobody fills once it has stood for an hour, and a sweep after a week', async () => {
  await appendLoad(rig, 3)
  await (await beginAndStop()).stop()
  const aged = (age: string) =>
    rig.pool.query(`update app.projection_checkpoint set updated_at = now() - interval '${age}' where name = 'lines'`)
  expect(await dropUnfollowed(rig.pool, 'all')).toEqual({ schemas: [], busy: ['lines'] })
  await aged('2 hours')
  expect(await dropUnfollowed(rig.pool, 'old')).toEqual({ schemas: [], busy: [] })
  await aged('8 days')
  expect(await dropUnfollowed(rig.pool, 'old')).toEqual({ schemas: ['p_lines_v2'], busy: [] })
  await (await beginAndStop()).stop()
  await aged('2 hours')
  expect(await dropUnfollowed(rig.pool, 'all')).toEqual({ schemas: ['p_lines_v2'], busy: [] })
})

test('a start waits for no read model that operators alone read', async () => {
  await appendLoad(rig, 3)
  const ofOperators: Projection = { ...faulty, name: 'picky', version: 1, readBy: 'operators' }
  const projector = rig.project([tallies, ofOperators], { keysMost: 3, restMs: 100 })
  await projector.start()
  await until('it is stuck', () => projector.status().some(({ name, error }) => name === 'picky' && error !== null))
  expect(await rig.wrongRows([tallies])).toEqual([])
  // Nor does an erasure, once it has stood for an hour: it begins anew.
  const error = `select error from app.projection_checkpoint where name = 'picky' and error is not null`
  await until('that is noted', async () => (await rig.pool.query(error)).rowCount)
  await rig.pool.query(
    `update app.projection_checkpoint set updated_at = now() - interval '2 hours' where name = 'picky'`,
  )
  expect(await dropUnfollowed(rig.pool, 'all')).toEqual({ schemas: ['p_picky_v1'], busy: [] })
})
