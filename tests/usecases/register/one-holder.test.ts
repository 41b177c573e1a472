import { afterAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createDispatch } from '../../../eventstore/dispatch.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { LEASE_MS } from '../../../services/proof-leases.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { endUnfinished } from '../../../usecases/register/end-unfinished.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { eventsOf } from '../../support/events-of-log.ts'
import { newcomer } from '../../support/newcomers.ts'
import { interruptedAt, STEPS, startRegistering, type Visitor } from './stepwise.ts'

const { world, people, pass, now } = await startRegistering()
afterAll(() => world.stop())

const { log, codec, keys } = world.core
/** Another process: it has folded nothing yet. */
const elsewhere = (): Ports => ({ ...world.context, ...createDispatch({ log, codec, keys }) })
const idOf = ({ proof }: Visitor) => memberOfProof({ id: proof })
const erasing = () => ({ ...erasingOf({ ...world.product, now }, 'system'), proofs: world.services.proofs })
const another = (email: string) => newcomer(world, { email })

/** The ids under which any of these members had an address, and the most of them that were somebody's at one position. */
async function historyOf(members: readonly MemberId[]) {
  const ids = new Set<string>()
  const holders = new Map<string, MemberId>()
  let most = 0
  for await (const event of eventsOf(log, codec)) {
    if (event.type !== 'EmailReserved' && event.type !== 'EmailConfirmed' && event.type !== 'EmailReleased') continue
    if (!members.includes(event.member)) continue
    ids.add(event.address)
    if (event.type === 'EmailReleased') holders.delete(event.address)
    else holders.set(event.address, event.member)
    most = Math.max(most, holders.size)
  }
  return { ids, most }
}

test('of any number who register one address at once, in several processes, one gets it', async () => {
  for (let round = 0; round < 3; round++) {
    const first = await newcomer(world)
    const visitors = [first]
    for (let n = 0; n < 7; n++) visitors.push(await another(first.email))
    const processes = [world.context, elsewhere(), elsewhere()]
    const sent = await Promise.all(visitors.map((visitor, n) => people.send(processes[n % 3]!, visitor)))
    expect(sent.filter(({ ok }) => ok)).toHaveLength(1)
    for (const one of sent) if (!one.ok) expect(['taken', 'slow-down']).toContain(one.reason)
    const { ids, most } = await historyOf(visitors.map(idOf))
    expect([most, ids]).toEqual([1, new Set([await people.addressOf(first)])])
    expect(visitors.map(idOf)).toContain(await people.holderOf(first))
  }
})

test('while its holder is erased and others sign up for it, an address is never two members’', async () => {
  for (let round = 0; round < 3; round++) {
    const first = await newcomer(world)
    expect(await people.send(world.context, first)).toMatchObject({ ok: true })
    const all = [first]
    const made: Visitor[] = []
    const signsUp = async (ports: Ports) => {
      for (let tries = 0; tries < 4 && made.length === 0; tries++) {
        // The erasure takes the proofs of the address along, also from under an upload.
        const visitor = await another(first.email).catch(() => null)
        if (!visitor) continue
        all.push(visitor)
        if ((await people.send(ports, visitor)).ok) made.push(visitor)
      }
    }
    const others = [world.context, elsewhere(), elsewhere()].map(signsUp)
    expect(await eraseAccount(erasing(), idOf(first))).toMatchObject({ ok: true })
    await Promise.all(others)
    const last = await another(first.email)
    const after = await people.send(elsewhere(), last)
    expect(made.length + Number(after.ok)).toBe(1)
    const { ids, most } = await historyOf([...all, last].map(idOf))
    expect(most).toBe(1)
    expect(ids.size).toBeGreaterThan(1)
    expect(await people.holderOf(first)).toBe(idOf(made[0] ?? last))
  }
})

/** Somebody who has reserved an address, and left. */
async function unfinished(): Promise<{ visitor: Visitor; address: string }> {
  const visitor = await interruptedAt(world, STEPS.indexOf('create the credential') - 1, await newcomer(world))
  const address = await people.addressOf(visitor)
  if (!address) throw new Error('The address has no id.')
  await world.services.proofs.lapse(visitor.signupToken)
  pass(1)
  return { visitor, address }
}

const typesOf = async (address: string) => (await log.read(`email-${address}`)).map(({ type }) => type)

test('who is about to take an id that is released at that moment gets the address under another', async () => {
  const { visitor, address } = await unfinished()
  const next = await another(visitor.email)
  let ended = 0
  const dispatch: Ports['dispatch'] = async (decider, command, context) => {
    const reserves = 'type' in command && command.type === 'ReserveEmail'
    if (reserves && ended === 0) ended = await people.unfinished()
    return world.context.dispatch(decider, command, context)
  }
  expect(await people.send({ ...elsewhere(), dispatch }, next)).toMatchObject({ ok: true })
  expect(ended).toBe(1)
  expect(await typesOf(address)).toEqual(['EmailReserved', 'EmailReleased'])
  expect(await people.addressOf(next)).not.toBe(address)
  expect([await people.holderOf(next), await people.signIn(next)]).toEqual([idOf(next), true])
})

test('an id whose release was interrupted before its row went is nobody’s, and its end takes no other along', async () => {
  const { visitor, address } = await unfinished()
  const remove = () => Promise.reject(new Error('killed'))
  const dying = { ...erasing(), addresses: { ...world.services.addresses, remove } }
  await expect(endUnfinished(dying)).rejects.toThrow('killed')
  expect([await people.addressOf(visitor), (await typesOf(address)).at(-1)]).toEqual([address, 'EmailReleased'])
  const next = await another(visitor.email)
  expect(await people.send(world.context, next)).toMatchObject({ ok: true })
  const again = await people.addressOf(next)
  expect(again).not.toBe(address)
  pass(LEASE_MS)
  await people.sweep()
  expect([await people.addressOf(next), await people.holderOf(next)]).toEqual([again, idOf(next)])
  expect(await people.rowsOf(visitor)).toBe(0)
})

test('an id that nobody has used goes with the proof that it was given for', async () => {
  const visitor = await interruptedAt(world, STEPS.indexOf('reserve the address'), await newcomer(world))
  const address = await people.addressOf(visitor)
  expect(address).not.toBeNull()
  await world.services.proofs.lapse(visitor.signupToken)
  pass(1)
  await people.sweep()
  expect([await people.addressOf(visitor), await typesOf(address!)]).toEqual([null, ['EmailReleased']])
})
