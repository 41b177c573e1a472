import { afterAll, expect, test } from 'vitest'
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

/** The rows of both schemas that name somebody, by their tables, but for the stream that a read model has come to (decision 0050). */
async function tablesWith(word: string): Promise<string[]> {
  const { pool } = world.core.storage
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('app', 'read')`,
  )
  const looks = rows.map(
    ({ name }) =>
      `select '${name}' as name where exists (
         select from ${name} one where position($1 in (to_jsonb(one) #- '{anchor,stream}')::text) > 0)`,
  )
  const found = await pool.query<{ name: string }>(looks.join(' union all '), [word])
  return found.rows.map(({ name }) => name).sort()
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
  expect((await tablesWith(member)).filter((name) => ![...OF_MEMBER, ...but].includes(name))).toEqual([])
  const emailKey = world.services.credentials.emailKey(visitor.email)
  expect((await tablesWith(emailKey)).filter((name) => !OF_ADDRESS.includes(name))).toEqual([])
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

test.each(deaths)('a process that dies over a minor after %i steps is followed by the sweep', async (steps) => {
  const visitor = await interruptedAt(world, steps, await blockedNewcomer(world, blocker))
  const dead = () => Promise.reject(new Error('killed'))
  const reported: unknown[] = []
  const ports: Ports = {
    ...world.context,
    loadState: dead,
    dispatch: dead,
    reportError: (error) => void reported.push(error),
  }
  expect(await people.send(ports, visitor, CHILD)).toEqual(minor)
  expect(reported).toHaveLength(1)
  pass(LEASE_MS)
  await people.sweep()
  await expectForgotten(visitor, butAfter(steps))
})

test.each(deaths)('a minor is forgotten while a registration of theirs takes step %i', async (at) => {
  const visitor = await blockedNewcomer(world, blocker)
  const answered: RegisterOutcome[] = []
  const taken: number[] = []
  const ports = stepwise(world.context, async (step) => {
    taken.push(step)
    if (step === at) answered.push(await people.send(world.context, visitor, CHILD))
  })
  const registered = await people.send(ports, visitor).catch(() => ({ ok: false }))
  expect(answered).toEqual([minor])
  expect(registered.ok).toBe(false)
  expect(STEPS[taken.at(-1)!]).toBe(STEPS[at] === 'forget the kept block' ? 'complete the proof' : STEPS[at])
  expect(await people.signIn(visitor)).toBe(false)
  pass(LEASE_MS)
  await people.sweep()
  await expectForgotten(visitor, butAfter(at + 1))
})
