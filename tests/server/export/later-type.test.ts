import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf } from '../../../server/tools/export/streams.ts'
import { fromLater } from '../../eventstore/later-release.ts'
import { type Rig, startRig } from '../../eventstore/rig.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import { ask } from './archive.ts'

let rig: Rig
let world: World
beforeAll(async () => {
  rig = await startRig()
  world = await startWorld()
})
afterAll(async () => {
  await world?.stop()
  await rig?.stop()
})

test('a copy of one’s data is not made without what a later release wrote', async () => {
  await rig.log.append('pair-a_b', 'no_stream', [fromLater('Waved')])
  const asking = { ...rig, signal: new AbortController().signal }
  const first = (stream: string) => eventsOf(asking, stream, (type) => type === 'MessageSent').next()
  await expect(first('pair-a_b')).rejects.toThrow('Waved is no event of this release')
  expect((await first('pair-c_d')).done).toBe(true)
})

test('a copy that meets what a later release wrote counts no try, and comes again', async () => {
  const [ann, bea] = [await world.join('Ann'), await world.join('Bea')]
  await world.settled()
  await world.match(ann, bea)
  await world.settled()
  const stream = `pair-${[ann.id, bea.id].sort().join('_')}`
  const { length } = await world.core.log.read(stream, 0)
  await world.core.log.append(stream, length - 1, [fromLater('Waved')])
  const { json } = await ask(world, ann)
  const { pool, app } = world.core.storage
  const later = 'select from job.jobs where key like $1 and locked_at is null and run_at > now()'
  await until('its job comes again', async () => (await pool.query(later, [`%${json.id}%`])).rows.length > 0)
  const row = app.selectFrom('data_export').selectAll().where('id', '=', json.id)
  expect(await row.executeTakeFirstOrThrow()).toMatchObject({ state: 'preparing', tries: 0 })
})
