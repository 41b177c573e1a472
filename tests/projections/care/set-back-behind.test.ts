import { afterEach, beforeEach, expect, test } from 'vitest'
import { positionOf } from '../../../eventstore/position.ts'
import { listBehind } from '../../../projections/engine/care/behind.ts'
import { noteSetBacks } from '../../../projections/engine/set-back.ts'
import { runIn } from '../../support/fresh-database.ts'
import { lines } from '../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
  const projector = rig.project([lines])
  await projector.start()
  const last = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()
})
afterEach(() => rig.stop())

const behind = () => listBehind(rig.pool, rig.log, 50)
const beyond = positionOf(Number.MAX_SAFE_INTEGER)

test('live tables that are beyond the end of the log, or know another event of it, do not show it, noted or not', async () => {
  expect(await behind()).toEqual([])
  await rig.pool.query('update app.projection_checkpoint set position = $1', [beyond])
  expect(await behind()).toEqual(['lines'])
  await rig.pool.query('update app.projection_checkpoint set position = $1', [await rig.log.head()])
  expect(await behind()).toEqual([])
  await runIn(rig.logDatabase, `update log.event set id = gen_random_uuid() where type = 'MessageSent'`)
  expect(await behind()).toEqual(['lines'])
})

test('tables that are made meanwhile in place of others are not noted for them', async () => {
  await rig.pool.query('update app.projection_checkpoint set position = $1', [beyond])
  const anew = `update app.projection_checkpoint set position = '', epoch = null, anchor = null`
  const read: typeof rig.log.end = async () => {
    await rig.pool.query(anew)
    return rig.log.head()
  }
  await noteSetBacks(rig.pool, { ...rig.log, end: read })
  expect((await rig.pool.query('select epoch from app.projection')).rows).toEqual([{ epoch: null }])
})
