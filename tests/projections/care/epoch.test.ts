import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listTargets, noteSetBack } from '../../../projections/engine/checkpoints.ts'
import { epochOf, noteSetBacks } from '../../../projections/engine/set-back.ts'
import { inTransaction } from '../../../projections/engine/transaction.ts'
import { lines, tallies } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const epoch = () => epochOf(rig.pool, rig.log)
const messages = { number: 0 }

/** Tables of two read models know one event more. */
async function fed(): Promise<void> {
  const projector = rig.project([lines, tallies])
  await projector.start()
  const last = await rig.append(pairStream(ann, bea), sent(ann, bea, ++messages.number))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
}

/** None of these tables is of this log any more. */
const setBack = (names = [lines.name, tallies.name]) =>
  rig.pool.query(
    `update app.projection_checkpoint set anchor = anchor || '{"revision": 1000000}' where name = any($1)`,
    [names],
  )

/** As of a set-back that was noted while the clock of the database was ahead. */
const notedLater = () => rig.pool.query(`update app.set_back set noted_at = noted_at + interval '1 hour'`)

test('the epoch of a log is its id until it is noted that it was set back, and another one each time', async () => {
  await fed()
  await noteSetBacks(rig.pool, rig.log)
  expect(await epoch()).toBe(await rig.log.id())
  const seen = new Set([await epoch()])
  for (const times of [2, 3]) {
    await setBack()
    await noteSetBacks(rig.pool, rig.log)
    const now = await epoch()
    expect(now.startsWith(`${await rig.log.id()}.`)).toBe(true)
    expect(now.length).toBeLessThanOrEqual(64)
    expect(seen.add(now).size).toBe(times)
    await fed()
    await noteSetBacks(rig.pool, rig.log)
    expect(await epoch()).toBe(now)
  }
})

test('one set-back makes one epoch, however many tables are noted, when, and by whom', async () => {
  await fed()
  const [first, second] = await listTargets(rig.pool)
  const note = (target = first!) => inTransaction(rig.pool, (db) => noteSetBack(db, target))
  await note()
  const made = await epoch()
  expect(made).not.toBe(await rig.log.id())
  for (const again of [first, second]) await note(again)
  expect(await epoch()).toBe(made)
})

test('processes that note a set-back at once make one epoch', async () => {
  await fed()
  const targets = await listTargets(rig.pool)
  const epochs: string[] = []
  const note = async (target: (typeof targets)[number]) => {
    await inTransaction(rig.pool, (db) => noteSetBack(db, target))
    epochs.push(await epoch())
  }
  await Promise.all([...targets, ...targets].map(note))
  expect(epochs).toHaveLength(4)
  expect([...new Set(epochs)]).toEqual([await epoch()])
})

test('each set-back makes an epoch whatever the clock says, also for tables that were followed over the one before', async () => {
  await fed()
  const seen = new Set([await epoch()])
  for (const gone of [[lines.name], [tallies.name], [lines.name], [lines.name, tallies.name]]) {
    await setBack(gone)
    await noteSetBacks(rig.pool, rig.log)
    const made = await epoch()
    expect([gone, seen.has(made)]).toEqual([gone, false])
    seen.add(made)
    await notedLater()
    await noteSetBacks(rig.pool, rig.log)
    await fed()
    expect(await epoch()).toBe(made)
  }
})

test('tables that the release before has noted, which made no epoch, make one, once', async () => {
  await fed()
  await rig.pool.query(`update app.projection_checkpoint set epoch = epoch || ' before it was set back'`)
  await noteSetBacks(rig.pool, rig.log)
  const made = await epoch()
  expect(made).not.toBe(await rig.log.id())
  await noteSetBacks(rig.pool, rig.log)
  expect(await epoch()).toBe(made)
})

test('a start waits for whoever has tables locked that it is to note, and says so', async () => {
  await fed()
  await setBack()
  const other = new pg.Client(rig.config)
  await other.connect()
  await other.query(`begin; select from app.projection_target where name = '${tallies.name}' for update`)
  const reported: unknown[] = []
  const noting = noteSetBacks(rig.pool, rig.log, (error) => reported.push(error))
  noting.catch(() => undefined)
  try {
    await until('it has waited', () => reported[0], 20_000)
    expect(reported).toMatchObject([{ code: '55P03' }])
  } finally {
    await other.end()
  }
  await noting
  expect(new Set((await listTargets(rig.pool)).map(({ logId }) => logId))).toEqual(
    new Set([`${await rig.log.id()} before it was set back`]),
  )
})
