import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { logOut } from '../../../usecases/identity/log-out.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { codeOf, PASSWORD } from '../../support/newcomers.ts'
import { turnOn } from '../../support/outside/authenticator.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const AN_HOUR = 60
const label = 'A test'
const SLOW_DOWN = { ok: false, reason: 'slow-down', retryInMs: expect.any(Number) }
const signIn = ({ email }: Person, password = PASSWORD) => logIn(visitor(), { email, password, label })
const notesOf = async ({ id }: Person) => (await world.core.log.read(`member-${id}`)).length

/** All but so many of the hour. */
const useUp = ({ id }: Person, left = 0) => world.services.limits.take('SIGN_IN', id, AN_HOUR - left)

/** In and out again, which leaves a note of the session that ended. */
async function comeAndGo(person: Person): Promise<void> {
  const opened = await signIn(person)
  if (!opened.ok) throw new Error(opened.reason)
  const { member, session } = opened.value
  await logOut(visitor(), { viewer: { member, session: session.id }, signupToken: null })
}

test('an account opens sixty sessions an hour, from wherever, and then leaves no more notes in its history', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await useUp(ann, 3)
  for (let n = 0; n < 3; n++) await comeAndGo(ann)
  const notes = await notesOf(ann)
  // More of them than wrong passwords have.
  for (let n = 0; n < 12; n++) expect(await signIn(ann)).toEqual(SLOW_DOWN)
  expect(await notesOf(ann)).toBe(notes)
  expect(await signIn(bea)).toMatchObject({ ok: true })
  expect(await world.services.sessions.list(ann.id)).not.toEqual([])
  await world.services.limits.reset('SIGN_IN', ann.id)
  expect(await signIn(ann)).toMatchObject({ ok: true })
})

test('a new password by mail lets its owner in where somebody else has used the sign-ins up', async () => {
  const cat = await world.member('Cat')
  await useUp(cat)
  expect(await signIn(cat)).toEqual(SLOW_DOWN)
  await forgotPassword(visitor(), { email: cat.email })
  await until('the mail is there', async () => (await codeOf(world, cat.email)) !== 'no code')
  const newPassword = 'granite-willow-43-sail'
  const code = await codeOf(world, cat.email)
  expect(await resetPassword(visitor(), { email: cat.email, code, newPassword })).toMatchObject({ ok: true })
  expect(await signIn(cat, newPassword)).toMatchObject({ ok: true })
})

test('a code that comes when the sign-ins are used up is not used up with them', async () => {
  const dan = await world.member('Dan')
  const { recoveryCodes } = await turnOn(world.services, dan.id, () => new Date())
  const asked = await signIn(dan)
  const challenge = (!asked.ok && asked.challenge) || expect.fail('There is no challenge.')
  const give = () => giveCode(visitor(), { challenge, code: recoveryCodes[0]!, label })
  await useUp(dan)
  expect(await give()).toEqual(SLOW_DOWN)
  await world.services.limits.reset('SIGN_IN', dan.id)
  expect(await give()).toMatchObject({ ok: true })
})
