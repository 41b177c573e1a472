import { afterAll, beforeAll, expect, test } from 'vitest'
import { deactivate } from '../../../usecases/identity/deactivate.ts'
import { reactivate } from '../../../usecases/identity/reactivate.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const leaves = (who: Person, commandId = newCommand()) => deactivate(as(world, who), { commandId })
const returns = (who: Person, commandId = newCommand()) => reactivate(as(world, who), { commandId })
const typesOf = async ({ id }: Person) =>
  (await world.core.log.read(`member-${id}`)).map(({ type }) => type).filter((type) => /activated$/.test(type))

test('an account is left once and signed out everywhere, and reactivated once', async () => {
  const ann = await world.member('Ann')
  expect(await leaves(ann)).toMatchObject({ ok: true })
  expect(await world.services.sessions.list(ann.id)).toEqual([])
  expect(await leaves(ann)).toMatchObject({ reason: 'already' })
  for (const _ of [1, 2]) expect(await returns(ann)).toMatchObject({ ok: true })
  expect(await typesOf(ann)).toEqual(['AccountDeactivated', 'AccountReactivated'])
  expect(await deactivate(tooFast(world, ann), { commandId: newCommand() })).toEqual(SLOW_DOWN)
})

test('a deactivation sent again after the return, and a return after the next deactivation, happen again', async () => {
  const bea = await world.member('Bea')
  const [leaving, returning] = [newCommand(), newCommand()]
  for (let round = 0; round < 2; round++) {
    for (const _ of [1, 2]) expect(await leaves(bea, leaving)).toMatchObject({ ok: true })
    for (const _ of [1, 2]) expect(await returns(bea, returning)).toMatchObject({ ok: true })
  }
  const both = ['AccountDeactivated', 'AccountReactivated']
  expect(await typesOf(bea)).toEqual([...both, ...both])
})

test('a suspended account is neither left nor reactivated, also by an old form', async () => {
  const cat = await world.member('Cat')
  const [leaving, returning] = [newCommand(), newCommand()]
  await leaves(cat, leaving)
  await returns(cat, returning)
  await world.account(cat, 'Suspend')
  expect(await leaves(cat, leaving)).toMatchObject({ reason: 'suspended' })
  expect(await returns(cat, returning)).toMatchObject({ reason: 'suspended' })
})
