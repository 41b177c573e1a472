import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadConfig } from '../../../server/config.ts'
import { sealBy } from '../../../server/keys/member-seal.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { createSecondFactor } from '../../../services/second-factor/second-factor.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { PASSWORD } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
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
  expect(await eraseAccount({ ...context, upToDate }, who.id)).toMatchObject({ ok: true })
  expect(await placesOf(keyOf(who))).toEqual([])
})

test('what comes by an address after its release in an erasure that was interrupted goes with the rest', async () => {
  const who = await world.member('Bea', { email: 'bea.waits@example.com' })
  const spy = vi.spyOn(world.services.credentials, 'remove').mockRejectedValueOnce(new Error('interrupted'))
  await expect(eraseAccount(erasing(), who.id)).rejects.toThrow('interrupted')
  spy.mockRestore()
  expect(await forgotPassword(world.context, { email: who.email })).toMatchObject({ ok: true })
  await world.settled()
  expect(await eraseAccount(erasing(), who.id)).toMatchObject({ ok: true })
  expect(await placesOf(keyOf(who))).toEqual([])
})

test('a sign-in under way at an erasure leaves no device of the address', async () => {
  const who = await world.member('Cid', { email: 'cid.waits@example.com' })
  const { loginGuard } = world.services
  const succeeded: typeof loginGuard.succeeded = async (given) => {
    expect(await eraseAccount(erasing(), who.id)).toMatchObject({ ok: true })
    return loginGuard.succeeded(given)
  }
  const ports = { ...world.context, loginGuard: { ...loginGuard, succeeded } }
  await logIn(ports, { email: who.email, password: PASSWORD, label: 'A test' })
  expect(await placesOf(keyOf(who))).toEqual([])
})

test('a second factor whose secret was sealed before an erasure is not stored after it', async () => {
  const who = await world.member('Dee', { email: 'dee.waits@example.com' })
  const own = sealBy(world.core.keys)
  const seal: typeof own.seal = async (...given) => {
    const sealed = await own.seal(...given)
    expect(await eraseAccount(erasing(), who.id)).toMatchObject({ ok: true })
    return sealed
  }
  const { app } = world.core.storage
  const factors = createSecondFactor({ db: app, now: () => new Date(), seal: { ...own, seal } })
  expect(await factors.begin(who.id)).toBeNull()
  expect(await app.selectFrom('second_factor').selectAll().where('member', '=', who.id).execute()).toEqual([])
})

test('rows that come after an erasure has removed them keep it from being certified', async () => {
  const who = await world.member('Eli', { email: 'eli.waits@example.com' })
  const context = erasing()
  const dropUnfollowed = async () => {
    await world.services.sessions.create({ member: who.id, remember: true, label: 'A test' })
    return context.erasure.dropUnfollowed()
  }
  const erasure = { ...context.erasure, dropUnfollowed }
  await expect(eraseAccount({ ...context, erasure }, who.id)).rejects.toThrow(ErasureIncomplete)
  const types = async () => (await world.core.log.read(`member-${who.id}`, 0)).map(({ type }) => type)
  expect(await types()).not.toContain('ErasureCertified')
  expect(await eraseAccount(context, who.id)).toMatchObject({ ok: true })
  expect(await types()).toContain('ErasureCertified')
  expect(await world.services.sessions.list(who.id)).toEqual([])
})

test('what they did while read models were waited for goes with the rest in the same erasure', async () => {
  const who = await world.member('Fay', { email: 'fay.waits@example.com' })
  const context = erasing()
  const upToDate: typeof context.upToDate = async (models) => {
    await world.services.sessions.create({ member: who.id, remember: true, label: 'A test' })
    return context.upToDate(models)
  }
  expect(await eraseAccount({ ...context, upToDate }, who.id)).toMatchObject({ ok: true })
  expect(await world.services.sessions.list(who.id)).toEqual([])
})

test('tables that were swapped in after the address was free keep an erasure from being certified', async () => {
  const who = await world.member('Gus', { email: 'gus.waits@example.com' })
  const context = erasing()
  let isSwapped = false
  const erasure: typeof context.erasure = {
    ...context.erasure,
    dropUnfollowed: async () => {
      isSwapped = true
      return context.erasure.dropUnfollowed()
    },
    listUnerased: async (member) => (isSwapped ? ['profiles'] : context.erasure.listUnerased(member)),
  }
  await expect(eraseAccount({ ...context, erasure }, who.id)).rejects.toThrow('in quarantine of profiles')
  const types = (await world.core.log.read(`member-${who.id}`, 0)).map(({ type }) => type)
  expect(types).not.toContain('ErasureCertified')
})
