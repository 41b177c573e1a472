import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { newcomer } from '../../support/newcomers.ts'
import {
  blockedNewcomer,
  deaths,
  dying,
  interruptedAt,
  REGISTERED,
  STEPS,
  startRegistering,
  type Visitor,
} from './stepwise.ts'

const HOUR = 3_600_000
const { world, blocker, people, pass } = await startRegistering()
afterAll(() => world.stop())

/** Somebody whom Bea blocked before, whose registration dies after so many steps, an hour before their proof is over. */
async function interrupted(steps: number): Promise<Visitor> {
  const visitor = await blockedNewcomer(world, blocker)
  pass(HOUR)
  return interruptedAt(world, steps, visitor)
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

test('the steps are all that a registration does', async () => {
  const visitor = await interrupted(STEPS.length - 1)
  expect((await people.send(dying(world.context, STEPS.length), visitor)).ok).toBe(true)
})

/** Nobody is shown who cannot sign in, nor let in without a gallery. */
test.each(deaths)(
  'who registered for %i steps is shown or not as they may sign in; the same call resumes',
  async (steps) => {
    const visitor = await interrupted(steps)
    expect(await people.signIn(visitor)).toBe(steps > REGISTERED)
    expect(await shown(visitor)).toHaveLength(steps > REGISTERED ? 1 : 0)
    expect(await people.send(world.context, visitor)).toMatchObject({ ok: true, value: { member: expect.any(String) } })
    await world.settled()
    expect(await shown(visitor)).toEqual([memberOfProof({ id: visitor.proof })])
    expect(await people.signIn(visitor)).toBe(true)
  },
)

/** One who died after each number of steps. */
async function oneOfEach(): Promise<Visitor[]> {
  const visitors: Visitor[] = []
  for (const steps of deaths) visitors.push(await interrupted(steps))
  return visitors
}

describe('once the proof is over and others tried for the address', () => {
  let visitors: Visitor[]
  const found: { isMeanwhile: boolean; early: string[] }[] = []
  beforeAll(async () => {
    visitors = await oneOfEach()
    pass(2 * HOUR)
    for (const { email } of visitors) {
      const early = await newcomer(world, { email })
      const { ok: isMeanwhile } = await people.send(world.context, early)
      await world.settled()
      found.push({ isMeanwhile, early: await shown(early) })
    }
    await people.sweep()
  })

  test.each(deaths)('what %i steps left is an account or nothing', async (steps) => {
    const [visitor, { isMeanwhile, early }] = [visitors[steps]!, found[steps]!]
    expect(early.length).toBeLessThanOrEqual(1)
    const left = await shown(visitor)
    const known = await world.read.selectFrom('account').where('member', '=', memberOfProof({ id: visitor.proof }))
    const accounts = await known.select('member').execute()
    expect(accounts).toHaveLength(steps > REGISTERED ? 1 : 0)
    expect(left).toHaveLength(steps > REGISTERED || isMeanwhile ? 1 : 0)
    expect(await people.signIn(visitor)).toBe(left.length === 1)
  })
})

describe('after the sweep', () => {
  let visitors: Visitor[]
  beforeAll(async () => {
    visitors = await oneOfEach()
    pass(HOUR)
    await people.sweep()
    await people.sweep()
  })

  test.each(deaths)(
    'the address of a registration that stopped after %i steps is free again or in use',
    async (steps) => {
      const visitor = visitors[steps]!
      const isMade = steps > REGISTERED
      if (!isMade) expect(await people.rowsOf(visitor)).toBe(0)
      const again = await newcomer(world, { email: visitor.email })
      expect(await people.send(world.context, again)).toMatchObject(isMade ? { reason: 'taken' } : { ok: true })
      await world.settled()
      expect(await shown(visitor)).toEqual([memberOfProof({ id: isMade ? visitor.proof : again.proof })])
      expect(await people.signIn(visitor)).toBe(true)
      const blocked = await world.core.log.read(`pair-${[blocker.id, (await shown(visitor))[0]].sort().join('_')}`)
      expect(blocked.map(({ type }) => type)).toEqual(['Blocked'])
    },
  )
})
