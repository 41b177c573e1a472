import { afterAll, expect, test } from 'vitest'
import { emailDecider } from '../../../domain/identity/email.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { LEASE_MS } from '../../../services/proof-leases.ts'
import { isOpenProof } from '../../../services/signup-proofs.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import type { Erasing } from '../../../usecases/identity/finish-erasure.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { endUnfinished } from '../../../usecases/register/end-unfinished.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { newcomer, twoPhotos } from '../../support/newcomers.ts'
import {
  blockedNewcomer,
  deaths,
  interruptedAt,
  REGISTERED,
  STEPS,
  startRegistering,
  stepwise,
  type Visitor,
} from './stepwise.ts'

const HOUR = 3_600_000
const { world, blocker, people, pass, now } = await startRegistering()
afterAll(() => world.stop())

const erasing = (): Erasing & Pick<Ports, 'proofs'> => ({
  ...erasingOf({ ...world.product, now }, 'system'),
  proofs: world.services.proofs,
})

test.each(deaths)('a registration that is slow at step %i and the sweep leave an account or nothing', async (at) => {
  const visitor = await blockedNewcomer(world, blocker)
  const taken: number[] = []
  const slow = stepwise(world.context, async (step) => {
    taken.push(step)
    if (step !== at) return
    pass(3 * HOUR)
    await people.sweep()
  })
  const registered = await people.send(slow, visitor).catch(() => ({ ok: false }))
  const isMade = at > REGISTERED
  expect(registered.ok).toBe(false)
  if (!isMade) {
    expect(STEPS[taken.at(-1)!]).toBe(STEPS[at])
    const [uploads, credential] = [
      await world.services.media.list({ member: memberOfProof({ id: visitor.proof }) }),
      await world.services.credentials.findByEmail(visitor.email),
    ]
    expect([uploads, credential]).toEqual([[], null])
  }
  pass(LEASE_MS)
  await people.sweep()
  expect(await people.accountsOf(visitor)).toBe(isMade ? 1 : 0)
  expect(await people.signIn(visitor)).toBe(isMade)
  if (!isMade) expect([await people.rowsOf(visitor), await people.addressOf(visitor)]).toEqual([0, null])
  const again = await newcomer(world, { email: visitor.email })
  expect(await people.send(world.context, again)).toMatchObject(isMade ? { reason: 'taken' } : { ok: true })
})

test.each(deaths)('a sweep that dies over what %i steps left is followed by the next', async (steps) => {
  const visitor = await interruptedAt(world, steps, await blockedNewcomer(world, blocker))
  pass(3 * HOUR)
  let left = 1
  const dispatch: Ports['dispatch'] = async (...command) => {
    if (left-- <= 0) throw new Error('killed')
    return world.context.dispatch(...command)
  }
  const removeAll = () => Promise.reject(new Error('killed'))
  const media = { ...world.services.media, removeAll }
  const died = endUnfinished({ ...erasing(), dispatch, media })
  if (steps <= REGISTERED) await expect(died).rejects.toThrow('killed')
  pass(LEASE_MS)
  await people.sweep()
  const isMade = steps > REGISTERED
  expect(await people.accountsOf(visitor)).toBe(isMade ? 1 : 0)
  expect(await people.signIn(visitor)).toBe(isMade)
  if (!isMade) expect([await people.rowsOf(visitor), await people.addressOf(visitor)]).toEqual([0, null])
})

test('what is confirmed at the moment of its end stays an account', async () => {
  const visitor = await interruptedAt(world, REGISTERED, await blockedNewcomer(world, blocker))
  const member = memberOfProof({ id: visitor.proof })
  const address = await people.addressOf(visitor)
  if (!address) throw new Error('The address has no id.')
  pass(3 * HOUR)
  const dispatch = (async (decider, command, context) => {
    const confirm = { type: 'ConfirmEmail', address, member, at: now() } as const
    const source = { commandId: world.newCommand(), actor: member }
    if (decider.category === 'email') await world.context.dispatch(emailDecider, confirm, source)
    return world.context.dispatch(decider, command, context)
  }) as Ports['dispatch']
  await endUnfinished({ ...erasing(), dispatch })
  expect(await people.accountsOf(visitor)).toBe(1)
  expect(await people.holderOf(visitor)).toBe(member)
  expect(await world.services.credentials.findByMember(member)).not.toBeNull()
})

test('the end of a registration leaves a newer proof of the address, and its code, as they are', async () => {
  const visitor = await interruptedAt(world, REGISTERED, await blockedNewcomer(world, blocker))
  const emailKey = world.services.credentials.emailKey(visitor.email)
  pass(HOUR)
  const again = await newcomer(world, { email: visitor.email })
  pass(HOUR)
  const issued = await world.services.codes.issue('signup', emailKey)
  if (!issued.ok) throw new Error('There is a code already.')
  await people.sweep()
  expect(await people.rowsOf(visitor)).toBe(0)
  expect(await world.services.proofs.find(again.signupToken)).not.toBeNull()
  expect(await world.services.media.list({ proof: again.proof })).toHaveLength(2)
  expect(await world.services.codes.verify('signup', emailKey, issued.code)).toBe('ok')
  expect(await people.send(world.context, again)).toMatchObject({ ok: true })
})

test('the erasure of a member takes the proofs of their address with it', async () => {
  const visitor = await newcomer(world)
  expect(await people.send(world.context, visitor)).toMatchObject({ ok: true })
  const again = await newcomer(world, { email: visitor.email })
  expect(await eraseAccount(erasing(), memberOfProof({ id: visitor.proof }))).toMatchObject({ ok: true })
  expect(await world.services.proofs.find(again.signupToken)).toBeNull()
  expect(await world.services.media.list({ proof: again.proof })).toEqual([])
})

test('one run ends more than a batch, whatever fails among them, which the next run ends', async () => {
  const visitors: Visitor[] = []
  for (let n = 0; n < 5; n++)
    visitors.push(await interruptedAt(world, STEPS.indexOf('start the profile'), await blockedNewcomer(world, blocker)))
  pass(3 * HOUR)
  const failing = memberOfProof({ id: visitors[0]!.proof })
  const batches: number[] = []
  const { proofs, ...context } = erasing()
  const takeLapsed: typeof proofs.takeLapsed = async (...given) => {
    const batch = await proofs.takeLapsed(...given)
    batches.push(batch.length)
    return batch
  }
  const loadState: Ports['loadState'] = async (decider, id, signal) => {
    if (id === failing) throw new Error('broken')
    return world.context.loadState(decider, id, signal)
  }
  const run = endUnfinished({ ...context, loadState, proofs: { ...proofs, takeLapsed } }, 2)
  await expect(run).rejects.toThrow('broken')
  expect(Math.max(...batches)).toBe(2)
  const left = () => Promise.all(visitors.map(people.accountsOf))
  expect(await left()).toEqual([1, 0, 0, 0, 0])
  pass(LEASE_MS)
  await people.sweep()
  expect(await left()).toEqual([0, 0, 0, 0, 0])
})

test('an upload that is removed while its visitor registers is refused before anything is recorded', async () => {
  const visitor = await newcomer(world)
  const member = memberOfProof({ id: visitor.proof })
  const [first = '', second = ''] = visitor.payload.photos
  const removing = stepwise(world.context, async (step) => {
    if (STEPS[step] === 'hand the uploads over')
      await world.services.media.remove(first.replace('/media/', ''), { proof: visitor.proof })
  })
  expect(await people.send(removing, visitor)).toEqual({ ok: false, reason: 'invalid-media' })
  expect(await world.core.log.read(`member-${member}`)).toEqual([])
  expect(await people.rowsOf(visitor)).toBe(0)
  const photos = [second, ...(await twoPhotos(world, visitor.proof))]
  const again = { ...visitor, payload: { ...visitor.payload, photos } }
  expect(await people.send(world.context, again)).toMatchObject({ ok: true, value: { member } })
  expect(await people.accountsOf(visitor)).toBe(1)
})

const ENDS: Record<string, (visitor: Visitor) => Promise<unknown>> = {
  'was refused': ({ email }) => world.services.proofs.refuse(world.services.credentials.emailKey(email)),
  'was left': ({ signupToken }) => world.services.proofs.lapse(signupToken),
  'made an account': (visitor) => people.send(world.context, visitor),
  'is past its two hours': async () => {
    pass(2 * HOUR)
  },
}

test.each(Object.entries(ENDS))('an upload under way when its sign-up %s is not stored', async (_, end) => {
  const visitor = await newcomer(world)
  const owner = { proof: visitor.proof }
  const upload = async () =>
    world.services.media.upload({ owner: { ...owner, network: '192.0.2.1' }, purpose: 'photo', file: await jpeg() })
  expect(await upload()).toMatchObject({ ok: true })
  await end(visitor)
  const before = await world.services.media.list(owner)
  expect(await upload()).toEqual({ ok: false, reason: 'upload-failed' })
  expect(await world.services.media.list(owner)).toEqual(before)
})

test('a sign-up whose upload is being stored is ended after that', async () => {
  const { proof, email } = await newcomer(world)
  const emailKey = world.services.credentials.emailKey(email)
  const { app, pool } = world.core.storage
  await app.transaction().execute(async (tx) => {
    expect(await isOpenProof(tx, proof, now())).toBe(true)
    const other = await pool.connect()
    try {
      await other.query("set lock_timeout = '50ms'")
      const ending = other.query('update app.signup_proof set refused = true where email_key = $1', [emailKey])
      await expect(ending).rejects.toMatchObject({ code: '55P03' })
    } finally {
      other.release(true)
    }
  })
})
