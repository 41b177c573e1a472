import { afterAll, beforeAll, expect, test } from 'vitest'
import { SESSIONS_OF_MEMBER } from '../../../services/sessions/sessions.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import { sendCode } from '../../../usecases/identity/send-code.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { findProof } from '../../../usecases/register/proof.ts'
import { saveStep } from '../../../usecases/register/save-step.ts'
import { undoSecondFactor } from '../../../usecases/second-factor/undo.ts'
import { BASICS, codeOf, newcomer, PASSWORD } from '../../support/newcomers.ts'
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

const label = 'A test'
const SLOW_DOWN = { ok: false, reason: 'slow-down', retryInMs: expect.any(Number) }
const signIn = (ports: Ports, { email }: Person, more: { password?: string; device?: string } = {}) =>
  logIn(ports, { email, password: PASSWORD, label, ...more })
/** A new password by the code of a mail. */
async function reset({ email }: Person, newPassword: string, by = visitor()) {
  if ((await codeOf(world, email)) === 'no code') await forgotPassword(visitor(), { email })
  await until('the mail is there', async () => (await codeOf(world, email)) !== 'no code')
  return resetPassword(by, { email, code: await codeOf(world, email), newPassword })
}
const newDevices = async ({ id }: Person) =>
  (await world.core.log.read(`member-${id}`, 0)).filter(({ type }) => type === 'SignedInOnNewDevice').length

/** A password in the wizard, by the proof of an address. */
async function chooses(ports: Ports, signupToken: string, n: number) {
  const chosen = `copper-meadow-${n}-train`
  const answers = { ...BASICS, interestedIn: ['male' as const] }
  const proof = (await findProof(ports, signupToken))!
  return saveStep(ports, proof, { answers, password: { chosen, confirmed: chosen }, go: 'on' })
}
const TOO_OFTEN = { ok: false, reason: 'wrong-answers', problems: { password: 'too-often' } }

test('one connection, and one proof, chooses thirty passwords in a quarter of an hour in the wizard', async () => {
  const { signupToken } = await newcomer(world)
  const other = await newcomer(world)
  const stranger = visitor()
  const saved = await Promise.all(Array.from({ length: 31 }, (_, n) => chooses(stranger, signupToken, n)))
  expect(saved.filter(({ ok }) => !ok)).toEqual([TOO_OFTEN])
  expect(await chooses(visitor(), signupToken, 32)).toEqual(TOO_OFTEN)
  expect(await chooses(stranger, other.signupToken, 33)).toEqual(TOO_OFTEN)
  expect(await chooses(visitor(), other.signupToken, 34)).toMatchObject({ ok: true })
})

test('who shows what a mail holds does not wait for what others of the connection chose', async () => {
  const [ann, rob] = [await world.member('Ann'), await world.member('Rob')]
  const { signupToken } = await newcomer(world)
  const office = visitor()
  await turnOn(world.services, rob.id)
  const undoing = (await world.services.undoLinks.issue(rob.id))!
  for (let n = 0; n < 31; n++) await chooses(office, signupToken, n)
  expect(await reset(ann, 'granite-willow-40-sail', office)).toMatchObject({ ok: true })
  const undo = { link: undoing.token, newPassword: 'granite-willow-40-sail' }
  expect(await undoSecondFactor(office, undo)).toMatchObject({ ok: true })
})

test('one account gets thirty new passwords in a quarter of an hour by mail, wherever they come from', async () => {
  const ida = await world.member('Ida')
  for (let n = 0; n < 30; n++) await world.services.limits.take('HASH', ida.id)
  expect(await reset(ida, 'granite-willow-40-sail')).toEqual(SLOW_DOWN)
})

test('people of one connection who sign in at once, all rightly, shut nobody out', async () => {
  const office = visitor()
  const people: Person[] = []
  for (let n = 0; n < 31; n++) people.push(await world.join(`P${n}`))
  const outcomes = await Promise.all(people.map((person) => signIn(office, person)))
  expect(outcomes.filter(({ ok }) => !ok).length).toBeLessThanOrEqual(1)
  expect(await signIn(office, people[outcomes.findIndex(({ ok }) => !ok)] ?? people[0]!)).toMatchObject({ ok: true })
})

test('a connection whose mails are used up takes nothing of those that an address may have', async () => {
  const bea = await world.member('Bea')
  const stranger = visitor()
  for (let mail = 0; mail < 20; mail++) await sendCode(stranger, { email: `m${mail}@example.com` })
  expect(await forgotPassword(stranger, { email: bea.email })).toEqual(SLOW_DOWN)
  expect(await world.mail(bea.email)).toBeNull()
  expect(await forgotPassword(visitor(), { email: bea.email })).toEqual({ ok: true, value: null })
})

test('an address that may have no more mail takes nothing of what its connection may send', async () => {
  const home = visitor()
  for (let mail = 0; mail < 25; mail++) await sendCode(home, { email: 'often@example.com' })
  expect(await sendCode(home, { email: 'another@example.com' })).toMatchObject({ ok: true })
})

test('whoever signs in again and again as a new browser has the owner mailed five times an hour', async () => {
  const cat = await world.member('Cat')
  const program = visitor()
  for (let n = 0; n < 8; n++) expect(await signIn(program, cat)).toMatchObject({ ok: true })
  expect(await newDevices(cat)).toBe(5)
})

test('a hundred sessions are left of a program that signs in for each call: those that were used last', async () => {
  const eve = await world.member('Eve')
  const { sessions } = world.services
  const old = await sessions.create({ member: eve.id, remember: true, label })
  for (let n = 0; n < 102; n++) await sessions.create({ member: eve.id, remember: true, label: `${n}` })
  const last = await signIn(visitor(), eve)
  if (!last.ok) throw new Error(last.reason)
  const left = await sessions.list(eve.id)
  expect(left).toHaveLength(SESSIONS_OF_MEMBER)
  expect(left.map(({ id }) => id)).toContain(last.value.session.id)
  expect(await sessions.find(old.token)).toBeNull()
  const ended = await world.core.codec.decode(await world.core.log.read(`member-${eve.id}`, 0))
  expect(ended.flatMap((event) => (event.type === 'SessionsRevoked' ? event.sessions : []))).toContain(old.session.id)
})

test('of many sign-ins at once a hundred sessions are left, too', async () => {
  const hal = await world.member('Hal')
  const { sessions } = world.services
  for (let made = 1; made < SESSIONS_OF_MEMBER; made++)
    await sessions.create({ member: hal.id, remember: true, label: 'A program' })
  const made = await Promise.all(Array.from({ length: 8 }, () => signIn(visitor(), hal)))
  expect(made.map(({ ok }) => ok)).toEqual(made.map(() => true))
  expect(await sessions.list(hal.id)).toHaveLength(SESSIONS_OF_MEMBER)
})

test('a new password forgets the browsers that the old one was used in', async () => {
  const dora = await world.member('Dora')
  const thief = await signIn(visitor(), dora)
  if (!thief.ok) throw new Error(thief.reason)
  const { device } = thief.value
  expect(await signIn(visitor(), dora, { device })).toMatchObject({ ok: true })
  expect(await newDevices(dora)).toBe(1)
  const password = 'granite-willow-41-sail'
  expect(await reset(dora, password)).toMatchObject({ ok: true })
  expect(await signIn(visitor(), dora, { device, password })).toMatchObject({ ok: true })
  expect(await newDevices(dora)).toBe(2)
})

test('a browser whose sign-in a reset overtakes is not known afterwards', async () => {
  const gil = await world.member('Gil')
  const home = visitor()
  await forgotPassword(home, { email: gil.email })
  await until('the mail is there', async () => (await codeOf(world, gil.email)) !== 'no code')
  const given = { email: gil.email, code: await codeOf(world, gil.email), newPassword: 'granite-willow-41-sail' }
  const succeeded: typeof home.loginGuard.succeeded = async (who) => {
    expect(await resetPassword(visitor(), given)).toMatchObject({ ok: true })
    return home.loginGuard.succeeded(who)
  }
  const overtaken = { ...home, loginGuard: { ...home.loginGuard, succeeded } }
  const thief = await signIn(overtaken, gil)
  if (!thief.ok) throw new Error(thief.reason)
  const emailKey = world.services.credentials.emailKey(gil.email)
  expect(await world.services.loginGuard.knows({ emailKey, device: thief.value.device })).toBe(false)
})

test('a mail that its server refused counts neither for its address nor for its connection', async () => {
  const home = visitor()
  const refusal = Object.assign(new Error('Try again later.'), { responseCode: 451 })
  const mailer = { ...home.mailer, send: () => Promise.reject(refusal) }
  const email = 'unlucky@example.com'
  for (let mail = 0; mail < 21; mail++)
    expect(await sendCode({ ...home, mailer }, { email })).toEqual({ ok: false, reason: 'mail-failed' })
  expect(await sendCode(home, { email })).toMatchObject({ ok: true })
})

test('a reset by mail lets in whom a hundred wrong passwords have shut out', async () => {
  const fay = await world.member('Fay')
  const key = world.services.credentials.emailKey(fay.email)
  const at = new Date()
  await world.core.storage.app
    .insertInto('login_guard')
    .values({ key, in_window: 0, in_a_row: 100, waits: 0, window_started_at: at, next_at: at })
    .execute()
  expect(await signIn(visitor(), fay)).toMatchObject({ ok: false, reason: 'mail-link-needed' })
  const password = 'granite-willow-42-sail'
  expect(await reset(fay, password)).toMatchObject({ ok: true })
  expect(await signIn(visitor(), fay, { password })).toMatchObject({ ok: true })
})
