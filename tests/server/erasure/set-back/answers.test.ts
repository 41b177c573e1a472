import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../support/until.ts'
import { rolesBut, type SetBackWorld, startSetBackWorld } from './set-back-world.ts'

let rig: SetBackWorld
beforeEach(async () => {
  rig = await startSetBackWorld()
})
afterEach(() => rig.stop())

test('a call whose kept answer is of a log that was set back is carried out again', async () => {
  const { world } = rig
  const ann = await world.member('Ann')
  const before = await world.core.log.head()
  const call = { member: ann.id, route: 'POST /block', key: randomUUID(), request: '{}' }
  const claim = await world.services.idempotency.claim(call)
  if (claim.state !== 'first') return expect.unreachable(claim.state)
  for (const bio of ['Lost', 'Lost too', 'Lost as well']) await world.edit(ann, { bio })
  await world.settled()
  await world.services.idempotency.keep(claim.claimed, { status: 200, body: '{}' })
  expect(await world.services.idempotency.claim(call)).toMatchObject({ state: 'answered' })
  await rig.setBack(before)
  const { services, showsLog } = await rig.start(rolesBut())
  await until('it shows the log', showsLog, 30_000)
  expect(await services.idempotency.claim(call)).toMatchObject({ state: 'first' })
})
