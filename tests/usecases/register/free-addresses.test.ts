import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import { AddressId } from '../../../domain/shared/ids.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { freeAddresses } from '../../../usecases/identity/free-addresses.ts'
import { newcomer } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import type { Person } from '../../support/world-people.ts'
import { blockedNewcomer, interruptedAt, STEPS, startRegistering, type Visitor } from './stepwise.ts'

const { world, people, now, blocker } = await startRegistering()
afterAll(() => world.stop())

const { addresses, credentials, erasure } = world.services
const erasing = () => erasingOf({ ...world.product, now }, 'system')
const another = ({ email }: Pick<Person, 'email'>) => newcomer(world, { email })
const typesOf = async (address: string) => (await world.core.log.read(`email-${address}`)).map(({ type }) => type)

/** A member whom the release before erases: it knows of no ids, and leaves the row. */
async function erasedBefore(name: string): Promise<Person> {
  const who = await world.member(name)
  const erase = { type: 'EraseAccount', member: who.id, at: now() } as const
  // Before the event: who finishes the erasure in this release would find the address by it.
  await credentials.remove(who.id)
  await world.context.dispatch(memberDecider, erase, { commandId: randomUUID(), actor: who.id })
  await erasure.destroyKey(who.id)
  await world.settled()
  const done = `select from app.reactor_effect where stream = $1 and state = 'done'`
  const { pool } = world.core.storage
  await until('the erasure came to its end', async () => (await pool.query(done, [`member-${who.id}`])).rowCount === 1)
  return who
}

test('the address of whom the release before erased is freed also while others try to sign up with it', async () => {
  const ann = await erasedBefore('Ann')
  const waiting = await another(ann)
  expect(await people.send(world.context, waiting)).toEqual({ ok: false, reason: 'taken' })
  expect(await freeAddresses(erasing())).toBe(1)
  expect(await people.send(world.context, await another(ann))).toMatchObject({ ok: true })
})

test('an address whose stream cannot be read keeps no other from being freed', async () => {
  const all = [await erasedBefore('Bea'), await erasedBefore('Cid'), await erasedBefore('Dan')]
  const [poisoned] = await addresses.listWithoutCredential()
  const stream = `email-${poisoned}`
  const metadata = (await world.core.log.read(stream)).at(-1)!.metadata
  const nonsense = { id: randomUUID(), type: 'EmailConfirmed', data: { nonsense: true }, metadata }
  await world.core.log.append(stream, 1, [nonsense])
  await expect(freeAddresses(erasing())).rejects.toThrow()
  const answers: boolean[] = []
  for (const who of all) {
    if ((await addresses.find(credentials.emailKey(who.email))) === poisoned) continue
    answers.push((await people.send(world.context, await another(who))).ok)
  }
  expect(answers).toEqual([true, true])
  await addresses.remove(poisoned!)
})

test('the address of a registration in progress is not freed, however far it came', async () => {
  for (const step of STEPS.slice(1)) {
    const visitor = await interruptedAt(world, STEPS.indexOf(step), await blockedNewcomer(world, blocker))
    const address = await people.addressOf(visitor)
    await freeAddresses(erasing())
    expect([step, await people.addressOf(visitor)]).toEqual([step, address])
  }
})

/** An id that nobody has used, of an address that nobody signs up with. */
async function unusedId(): Promise<{ email: string; id: AddressId }> {
  const { email } = await newcomer(world)
  const given = { emailKey: credentials.emailKey(email), id: AddressId.parse(world.services.newId()) }
  await erasure.forgetTraces({ member: world.services.newId() as Person['id'], emailKey: given.emailKey })
  await addresses.give(given)
  return { email, id: given.id }
}

test('an id that nobody has used is released in the log before its row goes', async () => {
  const { email, id } = await unusedId()
  expect(await freeAddresses(erasing())).toBe(1)
  expect(await addresses.find(credentials.emailKey(email))).toBeNull()
  expect(await typesOf(id)).toEqual(['EmailReleased'])
  expect(await freeAddresses(erasing())).toBe(0)
})

test('whoever registers under an id while the sweep is at it has their address, before and after', async () => {
  for (const step of ['remove', 'dispatch'] as const) {
    const { email } = await unusedId()
    const came: Visitor[] = []
    const comes = async () => {
      if (came.length > 0) return
      const visitor = await newcomer(world, { email })
      came.push(visitor)
      expect(await people.send(world.context, visitor)).toMatchObject({ ok: true })
    }
    const before = <A extends unknown[], R>(name: string, work: (...given: A) => Promise<R>) => {
      return async (...given: A): Promise<R> => {
        if (name === step) await comes()
        return work(...given)
      }
    }
    const context = erasing()
    const remove = before('remove', addresses.remove)
    const dispatch = before('dispatch', context.dispatch) as typeof context.dispatch
    await freeAddresses({ ...context, dispatch, addresses: { ...addresses, remove } })
    expect([step, came.length, await people.signIn(came[0]!)]).toEqual([step, 1, true])
    expect(await people.send(world.context, await newcomer(world, { email }))).toEqual({ ok: false, reason: 'taken' })
  }
})
