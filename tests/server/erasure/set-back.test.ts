import { afterEach, beforeEach, expect, test } from 'vitest'
import { createToolPorts } from '../../../server/ports.ts'
import { until } from '../../support/until.ts'
import { createPeople } from '../../support/world-people.ts'
import {
  erase,
  erased,
  keepFromFilling,
  rolesBut,
  type SetBackWorld,
  startSetBackWorld,
  typesOf,
} from './set-back/set-back-world.ts'

let rig: SetBackWorld
beforeEach(async () => {
  rig = await startSetBackWorld()
})
afterEach(() => rig.stop())

const ERASED = ['MemberRegistered', 'AccountErased']
const CERTIFIED = [...ERASED, 'ErasureCertified']

test.each([
  ['with a projector', rolesBut('reactors')],
  ['without one', rolesBut('reactors', 'projector')],
])('whoever was erased is so again after the first start %s on a log that was set back', async (_, roles) => {
  const { world } = rig
  const eve = await world.member('Eve')
  const before = await world.core.log.head()
  await erased(world.product, eve.id)
  await rig.setBack(before)
  expect((await typesOf(await rig.start(roles), eve.id)).slice(0, 2)).toEqual(ERASED)
  // Whatever the first had to leave.
  const product = await rig.start(rolesBut())
  await until('they are certified again', async () => (await typesOf(product, eve.id)).length > 2)
  expect(await typesOf(product, eve.id)).toEqual(CERTIFIED)
  await until('nothing is left to do', async () => (await product.services.erasure.listUnsettled()).length === 0)
})

test('the blocks of others are kept of who is erased while tables are made anew after a log was set back', async () => {
  const { world, pool } = rig
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  const before = await world.core.log.head()
  for (const bio of ['one', 'two', 'three', 'four']) await world.edit(fay, { bio })
  await world.settled()
  await rig.setBack(before)
  const kept = await keepFromFilling(pool, 'histories')
  const again = await rig.start(rolesBut('reactors'))
  const { core, services, projector } = again
  const people = createPeople(
    createToolPorts(core, services, () => new Date()),
    again,
    world.dataDir,
  )
  await until('the others are live', () =>
    projector!.status().every(({ name, state }) => name === 'histories' || state === 'live'),
  )
  await people.block(fay, eve)
  await expect(erase(again, eve.id)).rejects.toThrow('the blocks of others wait')
  expect(await services.credentials.findByMember(eve.id)).not.toBeNull()
  await kept.letGo()
  await erased(again, eve.id)
  const { rows } = await pool.query('select member from app.kept_block')
  expect(rows).toEqual([{ member: fay.id }])
})
