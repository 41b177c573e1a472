import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import { findProof } from '../../../usecases/register/proof.ts'
import { register } from '../../../usecases/register/register.ts'
import { saveStep } from '../../../usecases/register/save-step.ts'
import { codeOf, newcomer } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

/** One mailbox name at several hosts. */
const emailAt = (host: string) => `quasar.kelp@${host}.example.com`
/** What is wrong with each, by the rules for every new password (security §3.1). */
const UNFIT = [
  ['short', 'too-short'],
  ['x'.repeat(129), 'too-long'],
  ['football', 'common'],
  ['Football', 'common'],
  ['ann123', 'common'],
  ['aaaaaaaaaa', 'common'],
  ['23456789', 'common'],
  ['my-buzz-word-77', 'common'],
  ['xx-quasar.kelp-88', 'personal'],
  ['xx-lovelace-quarry-88', 'personal'],
] as const

test('a registration takes no leaked, plain or personal password', async () => {
  const { signupToken, payload } = await newcomer(world, { email: emailAt('one') })
  for (const [password, reason] of UNFIT) {
    const outcome = await register(world.context, { signupToken, payload: { ...payload, password }, label: 'A test' })
    expect([password, outcome]).toMatchObject([password, { ok: false, reason }])
  }
  expect(await register(world.context, { signupToken, payload, label: 'A test' })).toMatchObject({ ok: true })
})

test('nor does the wizard', async () => {
  const { signupToken, payload } = await newcomer(world, { email: emailAt('two') })
  const proof = (await findProof(world.context, signupToken))!
  const { firstName, lastName, gender, dob, lookingFor, interestedIn } = payload
  const answers = { step: 'basics', firstName, lastName, gender, dob, lookingFor, interestedIn } as const
  for (const [chosen, reason] of UNFIT) {
    const saving = { answers, password: { chosen, confirmed: chosen }, go: 'on' } as const
    const saved = await saveStep(world.context, proof, saving)
    expect([chosen, saved]).toMatchObject([chosen, { ok: false, problems: { password: reason } }])
  }
})

test('nor does a reset', async () => {
  const email = emailAt('three')
  await world.member('Ada', { email, lastName: 'Lovelace' })
  await forgotPassword(world.context, { email })
  await until('the mail is there', () => world.mail(email))
  const code = await codeOf(world, email)
  for (const [newPassword, reason] of UNFIT) {
    const outcome = await resetPassword(world.context, { email, code, newPassword })
    expect([newPassword, outcome]).toEqual([newPassword, { ok: false, reason }])
  }
  const fit = { email, code, newPassword: 'copper-meadow-77-train' }
  expect(await resetPassword(world.context, fit)).toMatchObject({ ok: true })
})
