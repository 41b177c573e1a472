import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../../../server/config.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { startWorld, type World } from '../../support/world.ts'
import { PASSWORD, type Person } from '../../support/world-people.ts'
import { dumpOf, findIn } from './places.ts'

let world: World
beforeAll(async () => {
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'reactors'))
  world = await startWorld({ web: false, config: { roles } })
})
afterAll(() => world.stop())

const erasing = () => erasingOf({ ...world.product, now: () => new Date() }, 'admin:test')
const keyOf = ({ email }: Person) => world.services.credentials.emailKey(email)
async function placesOf(word: string): Promise<string[]> {
  const dump = new Map([...(await dumpOf(world.stores.database)), ...(await dumpOf(world.logDatabase))])
  return findIn(dump, [word]).map((found) => found.split(':')[0]!)
}

test('what comes by an address while read models are waited for goes with the rest, also when they come in time', async () => {
  const who = await world.member('Ann', { email: 'ann.waits@example.com' })
  const context = erasing()
  const upToDate: typeof context.upToDate = async (models) => {
    expect(await forgotPassword(world.context, { email: who.email })).toMatchObject({ ok: true })
    return context.upToDate(models)
  }
  expect(await eraseAccount({ ...context, upToDate }, who.id)).toEqual({ ok: true })
  expect(await placesOf(keyOf(who))).toEqual([])
})

test('what comes by an address after its release in an erasure that was interrupted goes with the rest', async () => {
  const who = await world.member('Bea', { email: 'bea.waits@example.com' })
  const spy = vi.spyOn(world.services.credentials, 'remove').mockRejectedValueOnce(new Error('interrupted'))
  await expect(eraseAccount(erasing(), who.id)).rejects.toThrow('interrupted')
  spy.mockRestore()
  expect(await forgotPassword(world.context, { email: who.email })).toMatchObject({ ok: true })
  await world.settled()
  expect(await eraseAccount(erasing(), who.id)).toEqual({ ok: true })
  expect(await placesOf(keyOf(who))).toEqual([])
})

test('a sign-in under way at an erasure leaves no device of the address', async () => {
  const who = await world.member('Cid', { email: 'cid.waits@example.com' })
  const { loginGuard } = world.services
  const succeeded: typeof loginGuard.succeeded = async (given) => {
    expect(await eraseAccount(erasing(), who.id)).toEqual({ ok: true })
    return loginGuard.succeeded(given)
  }
  const ports = { ...world.context, loginGuard: { ...loginGuard, succeeded } }
  await logIn(ports, { email: who.email, password: PASSWORD, label: 'A test' })
  expect(await placesOf(keyOf(who))).toEqual([])
})
