import { afterEach, beforeEach, expect, test } from 'vitest'
import { listBehind } from '../../../projections/engine/care/behind.ts'
import { planRebuild, rollback, swapFilled } from '../../../projections/engine/care/tables-by-hand.ts'
import { createCaughtUp } from '../../../projections/engine/caught-up.ts'
import {
  compareAndSwapCheckpoints,
  findLive,
  inState,
  listTargets,
  noteSetBack,
} from '../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { noteSetBacks } from '../../../projections/engine/set-back.ts'
import { findOrMakeTarget, swapIn } from '../../../projections/engine/targets.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { runIn } from '../../support/fresh-database.ts'
import { lines } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const deps = () => rebuildDepsOf(rig)
const live = async () => (await findLive(rig.pool, 'lines'))!
const states = async () =>
  (await listTargets(rig.pool, 'lines')).map(({ generation, state }) => `${generation} ${state}`)

/** Tables that are live, with number 1. */
async function started() {
  const projector = rig.project([lines])
  await projector.start()
  const last = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  return projector
}
async function stopped(): Promise<void> {
  await started()
  await rig.stopProjectors()
}

/** The log was set back, and has grown past where it was, with other events. */
async function setBackAndGrown(): Promise<void> {
  await runIn(rig.logDatabase, `update log.event set id = gen_random_uuid() where type = 'MessageSent'`)
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 20), sent(ann, cleo, 21))
}

test('filled tables that the log was set back behind are not swapped in by hand, though it has grown past them', async () => {
  await stopped()
  await rebuild(deps(), lines, { swap: false })
  await setBackAndGrown()
  expect(await planRebuild(rig, lines)).toMatchObject({ does: 'fills new tables', goes: ['p_lines_v1_2'] })
  await expect(swapFilled(deps(), lines)).rejects.toThrow('filled from another log')
  expect(await states()).toEqual(['2 filling', '1 live'])
})

test('earlier tables that the log was set back behind are not gone back to, though it has grown past them', async () => {
  await stopped()
  await rebuild(deps(), lines)
  await setBackAndGrown()
  await expect(rollback(deps(), lines)).rejects.toThrow('filled from another log')
  expect(await states()).toEqual(['2 live', '1 retired'])
})

test('filled tables are not compared with live that the log was set back behind', async () => {
  await stopped()
  await rebuild(deps(), lines, { swap: false })
  await rig.pool.query(
    `update app.projection_checkpoint set anchor = anchor || '{"revision": 1}' where name = 'lines' and generation = 1`,
  )
  expect(await swapFilled(deps(), lines)).toMatchObject({ generation: 2, swapped: true, verdict: null })
})

test('an event that tables know is another one at another position', async () => {
  await stopped()
  await rig.pool.query(`update app.projection_checkpoint set anchor = anchor || '{"position": "0"}'`)
  expect(await findOrMakeTarget(rig.pool, rig.log, lines)).toMatchObject({ do: 'fill', target: { generation: 2 } })
})

test('new tables are not brought to where live is in another log', async () => {
  await stopped()
  await rebuild(deps(), lines, { swap: false })
  await rig.pool.query(
    `update app.projection_checkpoint set epoch = 'another log', position = 'z' where generation = 1 and name = 'lines'`,
  )
  const asked: string[] = []
  const filled = inState(await listTargets(rig.pool, 'lines'), 'filling')!
  await swapIn(rig.pool, lines, filled, async (to) => void asked.push(to))
  expect([asked, await states()]).toEqual([[], ['2 live', '1 retired']])
})

test('tables that others bring further meanwhile are noted all the same, as they are then', async () => {
  await stopped()
  const [target, to] = [await live(), await rig.append(pairStream(ann, cleo), sent(ann, cleo, 2))]
  const moving = await rig.pool.connect()
  let noting: ReturnType<typeof noteSetBack>
  try {
    await moving.query('begin')
    await compareAndSwapCheckpoints(moving, [{ target, to, logId: target.logId, passed: 1, clock: null }])
    noting = inTransaction(rig.pool, (db) => noteSetBack(db, target))
    await until('it waits', async () => {
      const { rows } = await rig.pool.query('select from pg_locks where not granted')
      return rows.length > 0
    })
  } finally {
    await moving.query('commit')
    moving.release()
  }
  const noted = { position: to, logId: `${await rig.log.id()} before it was set back` }
  expect(await noting).toMatchObject(noted)
  expect(await live()).toMatchObject(noted)
})

test('what is noted as set back is caught up with nothing for a process without a projector, wherever it stands', async () => {
  await stopped()
  const head = await rig.log.head()
  const caughtUp = () => createCaughtUp(rig.pool, rig.log)(head, ['lines'], 50)
  await noteSetBacks(rig.pool, rig.log)
  expect(await caughtUp()).toBe(true)
  await setBackAndGrown()
  await noteSetBacks(rig.pool, rig.log)
  expect(await caughtUp()).toBe(false)
  expect(await listBehind(rig.pool, rig.log, 50)).toEqual(['lines'])
})

test('whoever feeds tables that another process notes as set back makes new ones', async () => {
  const projector = await started()
  const before = await live()
  await inTransaction(rig.pool, (db) => noteSetBack(db, before))
  const last = await rig.append(pairStream(ann, cleo), sent(ann, cleo, 2))
  await until('new ones are live', async () => (await live()).generation === 2)
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  expect(await rig.wrongRows([lines])).toEqual([])
  expect((await listTargets(rig.pool, 'lines'))[1]).toMatchObject({ state: 'retired', position: before.position })
})
