import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUnfinishedSweep } from '../../../server/tools/erasure/unfinished.ts'
import { sweepableOf } from '../../../services/sweep.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { register } from '../../../usecases/register/register.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import { PASSWORD, type Person } from '../../support/world-people.ts'

const HOUR = 3_600_000
let world: World
let blocker: Person
let passed = 0
const now = () => new Date(Date.now() + passed)

beforeAll(async () => {
  world = await startWorld({ web: false, now })
  blocker = await world.member('Bea')
})
afterAll(() => world.stop())

/** All that a registration does, in its order. */
const STEPS = [
  'reserve the address',
  'hand the uploads over',
  'restore a block',
  'register the member',
  'start the profile',
  'create the credential',
  'fill the gallery',
  'confirm the address',
  'forget the kept block',
  'complete the proof',
] as const
/** From here on they can sign in. */
const REGISTERED = STEPS.indexOf('fill the gallery')

/** The process dies after so many steps. */
function dying(steps: number): Ports {
  const ports = world.context
  let left = steps
  const step = <A extends unknown[], R>(work: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      if (left-- <= 0) throw new Error('killed')
      return work(...given)
    }
  }
  const { media, credentials, keptBlocks, proofs } = ports
  return {
    ...ports,
    dispatch: step(ports.dispatch) as Ports['dispatch'],
    media: { ...media, handOver: step(media.handOver) },
    credentials: { ...credentials, create: step(credentials.create) },
    keptBlocks: { ...keptBlocks, forget: step(keptBlocks.forget) },
    proofs: { ...proofs, complete: step(proofs.complete) },
  }
}

type Visitor = Awaited<ReturnType<typeof newcomer>>
const send = (ports: Ports, { signupToken, payload }: Visitor) => register(ports, { signupToken, payload, label: 'A' })
const signIn = async ({ email }: Visitor) => (await logIn(world.context, { email, password: PASSWORD, label: 'A' })).ok

/** Somebody whom Bea blocked before, whose registration dies after so many steps, an hour before their proof is over. */
async function interrupted(steps: number): Promise<Visitor> {
  const visitor = await newcomer(world)
  passed += HOUR
  await world.services.keptBlocks.keep(world.services.credentials.emailKey(visitor.email), [blocker.id])
  await expect(send(dying(steps), visitor)).rejects.toThrow('killed')
  await world.settled()
  return visitor
}

/** Whom the others may find in their decks under an address. */
async function shown({ email }: Visitor): Promise<string[]> {
  const found = world.read.selectFrom('candidate').innerJoin('profile', 'profile.member', 'candidate.member')
  const rows = await found
    .select('candidate.member')
    .where('email', '=', email)
    .where('discoverable', '=', true)
    .execute()
  return rows.map(({ member }) => member)
}

async function sweep(): Promise<void> {
  for (const service of Object.values(sweepableOf(world.services))) await service.sweep()
  await createUnfinishedSweep({ ...world.product, now }).sweep()
  await world.settled()
}

/** How much is kept of a member in any place of the services. */
const rowsOf = async ({ proof }: Visitor) =>
  (await world.services.erasure.look({ member: memberOfProof({ id: proof }), emailKey: null })).left

test('the steps are all that a registration does', async () => {
  const visitor = await interrupted(STEPS.length - 1)
  expect((await send(dying(STEPS.length), visitor)).ok).toBe(true)
})

const deaths = [...STEPS.keys()]

test.each(deaths)('a registration that stopped after %i steps is resumed by the same call', async (steps) => {
  const visitor = await interrupted(steps)
  expect(await send(world.context, visitor)).toMatchObject({ ok: true, value: { member: expect.any(String) } })
  await world.settled()
  expect(await shown(visitor)).toEqual([memberOfProof({ id: visitor.proof })])
  expect(await signIn(visitor)).toBe(true)
})

test.each(deaths)('after %i steps nobody is shown who cannot sign in, nor let in without a gallery', async (steps) => {
  const visitor = await interrupted(steps)
  expect(await signIn(visitor)).toBe(steps > REGISTERED)
  expect(await shown(visitor)).toHaveLength(steps > REGISTERED ? 1 : 0)
  expect((await send(world.context, visitor)).ok).toBe(true)
})

test.each(deaths)('what %i steps left is an account or nothing once the proof is over', async (steps) => {
  const visitor = await interrupted(steps)
  passed += 2 * HOUR
  const early = await newcomer(world, { email: visitor.email })
  const meanwhile = await send(world.context, early)
  await world.settled()
  expect((await shown(visitor)).length).toBeLessThanOrEqual(1)
  await sweep()
  const left = await shown(visitor)
  const known = await world.read.selectFrom('account').where('member', '=', memberOfProof({ id: visitor.proof }))
  const accounts = await known.select('member').execute()
  expect(accounts).toHaveLength(steps > REGISTERED ? 1 : 0)
  expect(left).toHaveLength(steps > REGISTERED || meanwhile.ok ? 1 : 0)
  expect(await signIn(visitor)).toBe(left.length === 1)
})

test.each(deaths)(
  'the address of a registration that stopped after %i steps is free again or in use',
  async (steps) => {
    const visitor = await interrupted(steps)
    passed += HOUR
    await sweep()
    await sweep()
    const isMade = steps > REGISTERED
    if (!isMade) expect(await rowsOf(visitor)).toBe(0)
    const again = await newcomer(world, { email: visitor.email })
    expect(await send(world.context, again)).toMatchObject(isMade ? { reason: 'taken' } : { ok: true })
    await world.settled()
    expect(await shown(visitor)).toEqual([memberOfProof({ id: isMade ? visitor.proof : again.proof })])
    expect(await signIn(visitor)).toBe(true)
    const blocked = await world.core.log.read(`pair-${[blocker.id, (await shown(visitor))[0]].sort().join('_')}`)
    expect(blocked.map(({ type }) => type)).toEqual(['Blocked'])
  },
)
