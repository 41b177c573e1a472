import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEASE_MS } from '../../../services/proof-leases.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { BasicsTyped } from '../../../usecases/register/answers.ts'
import type { RegisterOutcome } from '../../../usecases/register/enroll.ts'
import { findProof, memberOfProof } from '../../../usecases/register/proof.ts'
import { saveStep } from '../../../usecases/register/save-step.ts'
import { newcomer } from '../../support/newcomers.ts'
import { blockedNewcomer, deaths, interruptedAt, STEPS, startRegistering, stepwise, type Visitor } from './stepwise.ts'

const { world, blocker, people, pass } = await startRegistering()
afterAll(() => world.stop())

const CHILD = '2015-05-05'
const minor = { ok: false, reason: 'minor' }

/** All of both schemas. */
const { rows: tables } = await world.core.storage.pool.query<{ name: string }>(
  `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
   where table_schema in ('app', 'read')`,
)

/** Those with rows that have each of two words in them, but for the stream that a read model has come to (decision 0050). */
async function tablesWith(one: string, other: string): Promise<[string[], string[]]> {
  const looks = tables.map(
    ({ name }) =>
      `select '${name}' as name, bool_or(position($1 in words) > 0) as one, bool_or(position($2 in words) > 0) as other
       from (select (to_jsonb(one) #- '{anchor,stream}')::text as words from ${name} one offset 0) all_words`,
  )
  type Found = { name: string; one: boolean | null; other: boolean | null }
  const { rows } = await world.core.storage.pool.query<Found>(looks.join(' union all '), [one, other])
  const named = (found: readonly Found[]) => found.map(({ name }) => name).sort()
  return [named(rows.filter((row) => row.one)), named(rows.filter((row) => row.other))]
}

/** Keys, destroyed, and the sealed log's own lists; the keyed hash, and what whoever else blocked under it. */
const OF_MEMBER = ['app.destroyed_key', 'app.subject_key', 'app.reactor_effect', 'read.history']
const OF_ADDRESS = ['app.kept_block', 'app.rate', 'app.refused_minor', 'app.signup_proof']

/** A block in the log names its two members, of whom one never was. */
const OF_BLOCK_ALONE = ['read.relation']
const butAfter = (steps: number) => (STEPS[steps] === 'register the member' ? OF_BLOCK_ALONE : [])

async function expectForgotten(visitor: Visitor, but: readonly string[] = []): Promise<void> {
  const member = memberOfProof({ id: visitor.proof })
  expect(await people.accountsOf(visitor)).toBe(0)
  expect(await people.rowsOf(visitor)).toBe(0)
  expect(await people.addressOf(visitor)).toBeNull()
  expect(await people.signIn(visitor)).toBe(false)
  expect(await world.services.media.list({ proof: visitor.proof })).toEqual([])
  expect(await world.services.proofs.find(visitor.signupToken)).toBeNull()
  const emailKey = world.services.credentials.emailKey(visitor.email)
  const [ofMember, ofAddress] = await tablesWith(member, emailKey)
  expect(ofMember.filter((name) => ![...OF_MEMBER, ...but].includes(name))).toEqual([])
  expect(ofAddress.filter((name) => !OF_ADDRESS.includes(name))).toEqual([])
  const proofs = world.core.storage.app.selectFrom('signup_proof').selectAll().where('email_key', '=', emailKey)
  for (const { completed_at, email, draft } of await proofs.execute())
    expect([completed_at, email.length, draft]).toEqual([expect.any(Date), 0, null])
}

test.each(deaths)('a minor whose registration died after %i steps leaves nothing but the hash', async (steps) => {
  const visitor = await interruptedAt(world, steps, await blockedNewcomer(world, blocker))
  expect(await people.send(world.context, visitor, CHILD)).toEqual(minor)
  await expectForgotten(visitor, butAfter(steps))
  expect(await people.send(world.context, visitor)).toEqual({ ok: false, reason: 'invalid-code' })
})

test('the wizard forgets as much of a minor, also what another proof of the address began', async () => {
  const visitor = await interruptedAt(world, STEPS.length - 1, await blockedNewcomer(world, blocker))
  const again = await newcomer(world, { email: visitor.email })
  const proof = (await findProof(world.context, again.signupToken))!
  const answers = BasicsTyped.parse({ step: 'basics', dob: CHILD })
  expect(await saveStep(world.context, proof, { answers, go: 'on' })).toEqual(minor)
  await expectForgotten(visitor)
  await expectForgotten(again)
})

describe('a process that dies over a minor', () => {
  const visitors: Visitor[] = []
  const done: { answer: RegisterOutcome; reported: number }[] = []
  beforeAll(async () => {
    for (const steps of deaths) {
      const visitor = await interruptedAt(world, steps, await blockedNewcomer(world, blocker))
      const dead = () => Promise.reject(new Error('killed'))
      const reported: unknown[] = []
      const ports: Ports = {
        ...world.context,
        loadState: dead,
        dispatch: dead,
        reportError: (error) => void reported.push(error),
      }
      done.push({ answer: await people.send(ports, visitor, CHILD), reported: reported.length })
      visitors.push(visitor)
    }
    pass(LEASE_MS)
    await people.sweep()
  })

  test.each(deaths)('after %i steps is followed by the sweep', async (steps) => {
    expect(done[steps]).toEqual({ answer: minor, reported: 1 })
    await expectForgotten(visitors[steps]!, butAfter(steps))
  })
})

describe('a minor is forgotten', () => {
  const visitors: Visitor[] = []
  const done: { answered: RegisterOutcome[]; isRegistered: boolean; last: number; isKnown: boolean }[] = []
  beforeAll(async () => {
    for (const at of deaths) {
      const visitor = await blockedNewcomer(world, blocker)
      const answered: RegisterOutcome[] = []
      const taken: number[] = []
      const ports = stepwise(world.context, async (step) => {
        taken.push(step)
        if (step === at) answered.push(await people.send(world.context, visitor, CHILD))
      })
      const { ok: isRegistered } = await people.send(ports, visitor).catch(() => ({ ok: false }))
      done.push({ answered, isRegistered, last: taken.at(-1)!, isKnown: await people.signIn(visitor) })
      visitors.push(visitor)
    }
    pass(LEASE_MS)
    await people.sweep()
  })

  test.each(deaths)('while a registration of theirs takes step %i', async (at) => {
    const last = STEPS[at] === 'forget the kept block' ? at + 1 : at
    expect(done[at]).toEqual({ answered: [minor], isRegistered: false, last, isKnown: false })
    await expectForgotten(visitors[at]!, butAfter(at + 1))
  })
})
