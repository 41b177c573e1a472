import { afterAll, beforeAll, expect, test } from 'vitest'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { createAddressSweep } from '../../../server/tools/erasure/free.ts'
import { findAccounts } from '../../../usecases/audit/find-accounts.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { dumpOf, findIn } from './places.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

const keyOf = ({ email }: Pick<Person, 'email'>) => world.services.credentials.emailKey(email)
const erase = ({ id }: Person) => eraseAccount(erasingOf({ ...world.product, now: () => new Date() }, id), id)

/** Where a word is: in the log, and in the rows beside it. */
async function placesOf(word: string): Promise<string[]> {
  const dump = new Map([...(await dumpOf(world.stores.database)), ...(await dumpOf(world.logDatabase))])
  return findIn(dump, [word]).map((found) => found.split(':')[0]!)
}

test('after an erasure neither the log nor a row has anything that follows from the address', async () => {
  const ann = await world.member('Ann', { email: 'ann.follows@example.com' })
  const address = await world.services.addresses.find(keyOf(ann))
  await findAccounts(world.context, 'admin:cli', ann.email)
  await findAccounts(world.context, 'admin:cli', 'nobody@example.com')
  await findAccounts(world.context, 'admin:cli', 'nobody')
  await world.settled()
  const looks = (await world.core.codec.decode(await world.core.log.read('audit-cli'))).slice(-3)
  expect(looks).toMatchObject([
    { asked: null, address, found: 1 },
    { asked: null, address: null, found: 0 },
    { asked: keyOf({ email: 'nobody' }), address: null, found: 0 },
  ])
  expect(await placesOf(keyOf(ann))).toContain('app.credential')
  expect(await erase(ann)).toMatchObject({ ok: true })
  await world.settled()
  expect(await placesOf(keyOf(ann))).toEqual([])
  const events = await world.core.log.read(`email-${address}`)
  expect(events.map(({ type }) => type)).toEqual(['EmailReserved', 'EmailConfirmed', 'EmailReleased'])
  expect(await placesOf(address!)).not.toContain('app.address')
})

test('the certificate counts the row of the address', async () => {
  const bea = await world.member('Bea')
  const address = await world.services.addresses.find(keyOf(bea))
  const traced = { member: bea.id, emailKey: null }
  const [without, counted] = [
    await world.services.erasure.look(traced),
    await world.services.erasure.look({ ...traced, address }),
  ]
  expect(counted).toEqual({ places: without.places + 1, left: without.left + 1 })
})

test('the address of whom the release before erased is free once it is swept, and that of an account stays', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  for (const { id } of [ann, bea]) await world.services.credentials.remove(id)
  await world.account(ann, 'EraseAccount')
  await world.settled()
  const address = await world.services.addresses.find(keyOf(ann))
  expect(address).not.toBeNull()
  expect(await createAddressSweep({ ...world.product, now: () => new Date() }).sweep()).toBe(1)
  expect(await world.services.addresses.find(keyOf(ann))).toBeNull()
  expect((await world.core.log.read(`email-${address}`)).at(-1)?.type).toBe('EmailReleased')
  expect(await world.services.addresses.find(keyOf(bea))).not.toBeNull()
  await world.member('Anna', { email: ann.email })
})
