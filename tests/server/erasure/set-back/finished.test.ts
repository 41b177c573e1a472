import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { finishesErasure } from '../../../../reactors/finish-erasure.ts'
import { until } from '../../../support/until.ts'
import type { Person } from '../../../support/world-people.ts'
import {
  erased,
  keepFromFilling,
  type LeftWorld,
  rolesBut,
  type SetBackWorld,
  startSetBackWorld,
  typesOf,
} from './set-back-world.ts'

let begun: SetBackWorld
let eve: Person
let again: () => Promise<LeftWorld>
beforeAll(async () => {
  begun = await startSetBackWorld()
  eve = await setBackBehindErasure()
  again = await begun.leave()
})
afterAll(() => begun.stop())

let rig: LeftWorld
let kept: Awaited<ReturnType<typeof keepFromFilling>>
/** A read model cannot be filled, so no erasure can end. */
beforeEach(async () => {
  rig = await again()
  kept = await keepFromFilling(rig.pool, 'histories')
})
afterEach(async () => {
  await kept.letGo()
  await rig.stop()
})

const ERASED = ['MemberRegistered', 'AccountErased']
const CERTIFIED = [...ERASED, 'ErasureCertified']

/** Erased to the end, on a log that was then set back behind that. */
async function setBackBehindErasure(): Promise<Person> {
  const { world } = begun
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  const before = await world.core.log.head()
  for (const bio of ['one', 'two', 'three', 'four']) await world.edit(fay, { bio })
  await erased(world.product, eve.id)
  await until('it is settled', async () => (await world.services.erasure.listUnsettled()).length === 0)
  await begun.setBack(before)
  return eve
}

test('an erasure that a start makes again and cannot finish is finished by the reactors of that process', async () => {
  const product = await rig.start(rolesBut())
  expect(await typesOf(product, eve.id)).toEqual(ERASED)
  await kept.letGo()
  await until('it is certified', async () => (await typesOf(product, eve.id)).length > 2)
  expect(await typesOf(product, eve.id)).toEqual(CERTIFIED)
})

test('an erasure that a start makes again in another log is finished by the reactors of that process', async () => {
  await rig.pool.query(`update app.reactor set log_id = 'another log'`)
  const product = await rig.start(rolesBut())
  expect(await typesOf(product, eve.id)).toEqual(ERASED)
  const event = (await product.core.log.read(`member-${eve.id}`)).at(-1)!
  const owed = `select from app.reactor_effect where reactor = $1 and event_id = $2`
  await until('it is owed', async () => (await rig.pool.query(owed, [finishesErasure.name, event.id])).rowCount === 1)
  await kept.letGo()
  await until('it is certified', async () => (await typesOf(product, eve.id)).length > 2)
  expect(await typesOf(product, eve.id)).toEqual(CERTIFIED)
})

test('the reactors of another process see an erasure that one without them makes again', async () => {
  const first = await rig.start(rolesBut('reactors'))
  expect(await typesOf(first, eve.id)).toEqual(ERASED)
  const event = (await first.core.log.read(`member-${eve.id}`)).at(-1)!
  const next = await rig.start(rolesBut('projector'))
  const owed = `select from app.reactor_effect where reactor = $1 and event_id = $2`
  await until('it is owed', async () => (await rig.pool.query(owed, [finishesErasure.name, event.id])).rowCount === 1)
  expect(await typesOf(next, eve.id)).toEqual(ERASED)
})

test('a later start finishes an erasure that was made again, whatever reactors have seen of it', async () => {
  const first = await rig.start(rolesBut('reactors'))
  expect(await typesOf(first, eve.id)).toEqual(ERASED)
  expect(await first.services.erasure.listUnsettled()).toEqual([eve.id])
  await kept.letGo()
  await until('all are live', () => first.projector!.status().every(({ state }) => state === 'live'))
  const second = await rig.start(rolesBut('reactors'))
  expect(await typesOf(second, eve.id)).toEqual(CERTIFIED)
  expect(await second.services.erasure.listUnsettled()).toEqual([])
})
