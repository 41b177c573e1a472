import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { AddressId } from '../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { newcomer } from '../../support/newcomers.ts'
import type { Person } from '../../support/world-people.ts'
import { startRegistering, type Visitor } from './stepwise.ts'

const { world, people, now } = await startRegistering()
afterAll(() => world.stop())

const keyOf = ({ email }: Pick<Person, 'email'>) => world.services.credentials.emailKey(email)
const another = ({ email }: Pick<Person, 'email'>): Promise<Visitor> => newcomer(world, { email })
const visitorOf = ({ email }: Person) => ({ email }) as Visitor

type Mark = { readonly commandId: string; readonly fingerprint?: string | undefined }

/** What the release before wrote of an address: version 1, on the stream of its hash. */
async function writesHashed(
  { id, email }: Pick<Person, 'id' | 'email'>,
  types: readonly string[],
  mark: Mark = { commandId: randomUUID() },
): Promise<void> {
  const emailKey = keyOf({ email })
  const at = now().toISOString()
  const until = new Date(now().getTime() + 60_000).toISOString()
  const { commandId } = mark
  const metadata = { ...mark, correlationId: commandId, causationId: commandId, actor: id, schema: 1 }
  const events = types.map((type) => ({
    id: randomUUID(),
    type,
    data: { emailKey, member: id, at, ...(type === 'EmailReserved' && { until }) },
    metadata,
  }))
  const stream = `email-${emailKey}`
  const before = await world.core.log.read(stream)
  await world.core.log.append(stream, before.length === 0 ? 'no_stream' : before.length - 1, events)
}

/** A member whom the release before has registered. */
async function registeredBefore(name: string): Promise<Person> {
  const who = await world.member(name)
  const address = await world.services.addresses.find(keyOf(who))
  await world.services.addresses.remove(address as AddressId)
  await writesHashed(who, ['EmailReserved', 'EmailConfirmed'])
  await world.settled()
  return who
}

test('whoever registered before addresses had ids signs in as before, and the hash is their address’ id', async () => {
  const ann = await registeredBefore('Ann')
  expect(await people.signIn(visitorOf(ann))).toBe(true)
  expect(await world.services.addresses.find(keyOf(ann))).toBe(keyOf(ann))
  expect(await people.holderOf(visitorOf(ann))).toBe(ann.id)
  expect(await people.send(world.context, await another(ann))).toEqual({ ok: false, reason: 'taken' })
})

test('an address that is reserved in the log, and has no row anywhere, is not given to another', async () => {
  const visitor = await newcomer(world)
  const other = { id: world.services.newId() as Person['id'], email: visitor.email }
  await writesHashed(other, ['EmailReserved'])
  expect(await people.send(world.context, visitor)).toEqual({ ok: false, reason: 'taken' })
  expect(await people.holderOf(visitor)).toBe(other.id)
})

test('their erasure ends the stream of the hash, and the address gets an id of its own', async () => {
  const ann = await registeredBefore('Ann')
  expect(await eraseAccount(erasingOf({ ...world.product, now }, ann.id), ann.id)).toMatchObject({ ok: true })
  expect(await world.services.addresses.find(keyOf(ann))).toBeNull()
  const old = await world.core.log.read(`email-${keyOf(ann)}`)
  expect(old.map(({ type }) => type)).toEqual(['EmailReserved', 'EmailConfirmed', 'EmailReleased'])
  const again = await another(ann)
  expect(await people.send(world.context, again)).toMatchObject({ ok: true })
  expect(await people.addressOf(again)).toMatch(/^[0-9a-z]{24}$/)
  expect(await world.core.log.read(`email-${keyOf(ann)}`)).toHaveLength(old.length)
})

test('a reservation of before that was released leaves the address free', async () => {
  const visitor = await newcomer(world)
  const other = { id: world.services.newId() as Person['id'], email: visitor.email }
  await writesHashed(other, ['EmailReserved', 'EmailReleased'])
  expect(await people.send(world.context, visitor)).toMatchObject({ ok: true })
  expect(await people.addressOf(visitor)).toMatch(/^[0-9a-z]{24}$/)
})

/** What the release before wrote of a visitor's own registration, by the command ids of their proof. */
async function registersHashed(visitor: Visitor): Promise<Person['id']> {
  const id = memberOfProof({ id: visitor.proof })
  const commandId = uuidFrom(uuidFrom('register', visitor.proof), 'reserve')
  const content = JSON.stringify({ type: 'ReserveEmail', emailKey: keyOf(visitor), member: id })
  const fingerprint = await world.core.keys.ensure([id], (keys) => keys.keyedHash(id, content))
  await writesHashed({ id, email: visitor.email }, ['EmailReserved'], { commandId, fingerprint })
  return id
}

test('a registration for which the release before has reserved the address comes to its end', async () => {
  const visitor = await newcomer(world)
  const id = await registersHashed(visitor)
  expect(await people.send(world.context, visitor)).toMatchObject({ ok: true })
  expect([await people.holderOf(visitor), await people.signIn(visitor)]).toEqual([id, true])
})

test('where that reservation ran out and another has the address, it is refused', async () => {
  const visitor = await newcomer(world)
  await registersHashed(visitor)
  const other = { id: world.services.newId() as Person['id'], email: visitor.email }
  await writesHashed(other, ['EmailReserved'])
  expect(await people.send(world.context, visitor)).toEqual({ ok: false, reason: 'taken' })
  expect(await people.holderOf(visitor)).toBe(other.id)
})

test('where that reservation was released, it gets the address under an id', async () => {
  const visitor = await newcomer(world)
  const id = await registersHashed(visitor)
  // The release before released it; this one knows its hash as its id.
  await world.services.addresses.give({ emailKey: keyOf(visitor), id: keyOf(visitor) as AddressId })
  await writesHashed({ id, email: visitor.email }, ['EmailReleased'])
  expect(await people.send(world.context, visitor)).toMatchObject({ ok: true })
  expect(await people.addressOf(visitor)).toMatch(/^[0-9a-z]{24}$/)
  expect(await people.holderOf(visitor)).toBe(id)
})

test('read models are rebuilt from version 1 as they were', async () => {
  const { log, codec, keys, storage } = world.core
  const ann = await registeredBefore('Ann')
  await world.settled()
  const rows = () =>
    world.read.selectFrom('history').selectAll().where('member', '=', ann.id).orderBy('position').execute()
  const before = await rows()
  expect(before.filter(({ stream }) => stream === `email-${keyOf(ann)}`)).toHaveLength(2)
  for (const projection of allProjections)
    await rebuild({ log, codec, keys, pool: storage.pool, signal: new AbortController().signal }, projection)
  await world.settled()
  expect(await rows()).toEqual(before)
  expect(await compareWithTables(storage.pool, allProjections, await foldOfLog(log, codec, allProjections))).toEqual([])
})
