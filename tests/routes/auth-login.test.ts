import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgotPassword } from '../../usecases/identity/forgot-password.ts'
import { logIn } from '../../usecases/identity/log-in.ts'
import { logOut } from '../../usecases/identity/log-out.ts'
import { resetPassword } from '../../usecases/identity/reset-password.ts'
import type { Ports } from '../../usecases/ports.ts'
import { codeOf } from '../support/newcomers.ts'
import { startStrictWorld } from '../support/strict-world.ts'
import { until } from '../support/until.ts'
import type { World } from '../support/world.ts'
import { PASSWORD } from '../support/world-people.ts'

let world: World
let context: Ports
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, context, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const label = 'A test'
const INVALID = { ok: false, status: 401, error: 'Invalid credentials' }
const NEW_PASSWORD = 'copper-meadow-77-train'

test('address and password open a session; the address is trimmed and in any case', async () => {
  const ann = await world.join('Ann')
  const answer = await logIn(visitor(), { email: `  ${ann.email.toUpperCase()} `, password: PASSWORD, label })
  expect(answer).toMatchObject({ ok: true, value: { member: ann.id, status: 'active', session: { remember: false } } })
  const kept = await logIn(visitor(), { email: ann.email, password: PASSWORD, remember: true, label })
  expect(kept).toMatchObject({ value: { session: { remember: true } } })
})

test('an unknown address, a wrong password and a password with a space too many meet the same words', async () => {
  const bea = await world.join('Bea')
  const tries = [
    { email: 'nobody@example.com', password: PASSWORD },
    { email: bea.email, password: 'something else' },
    { email: bea.email, password: `${PASSWORD} ` },
    { email: bea.email, password: 'x'.repeat(5000) },
  ]
  for (const given of tries) expect(await logIn(visitor(), { ...given, label })).toEqual(INVALID)
  expect(await logIn(visitor(), { email: ' ', password: '', label })).toMatchObject({
    status: 400,
    error: 'Email and password are required.',
  })
})

test('a suspended member is told so after the right password alone; a deactivated one may sign in', async () => {
  const [cat, dan] = [await world.join('Cat'), await world.join('Dan')]
  await world.account(cat, 'Suspend')
  await world.account(dan, 'Deactivate')
  const sus = { email: cat.email, label }
  expect(await logIn(visitor(), { ...sus, password: 'wrong' })).toEqual(INVALID)
  expect(await logIn(visitor(), { ...sus, password: PASSWORD })).toMatchObject({
    status: 403,
    error: 'Account suspended',
    code: 'suspended',
  })
  const back = await logIn(visitor(), { email: dan.email, password: PASSWORD, label })
  expect(back).toMatchObject({ ok: true, value: { status: 'deactivated' } })
})

test('guesses of others stop at ten and do not lock out a known device', async () => {
  const eve = await world.join('Eve')
  const known = await logIn(visitor(), { email: eve.email, password: PASSWORD, label })
  if (!known.ok) throw new Error(known.error)
  for (let guess = 0; guess < 10; guess++) {
    expect(await logIn(visitor(), { email: eve.email, password: `guess ${guess}`, label })).toEqual(INVALID)
  }
  const blocked = await logIn(visitor(), { email: eve.email, password: PASSWORD, label })
  expect(blocked).toMatchObject({
    status: 429,
    error: expect.stringMatching(/^Too many tries\. You can try again in \d+/),
  })
  expect(!blocked.ok && blocked.retryInMs).toBeGreaterThan(0)
  const { device } = known.value
  expect(await logIn(visitor(), { email: eve.email, password: PASSWORD, device, label })).toMatchObject({ ok: true })
})

test('signing out ends this session and says so in the log', async () => {
  const fay = await world.join('Fay')
  const [first] = await world.services.sessions.list(fay.id)
  if (!first) throw new Error('Fay has no session.')
  const second = await world.services.sessions.create({ member: fay.id, remember: false, label })
  await logOut(context, { member: fay.id, session: first.id })
  await logOut(context, { member: fay.id, session: first.id })
  await logOut(context, null)
  expect(await world.services.sessions.find(fay.token)).toBeNull()
  expect(await world.services.sessions.find(second.token)).not.toBeNull()
  const stored = await world.core.codec.decode(await world.core.log.read(`member-${fay.id}`, 0))
  expect(stored.filter(({ type }) => type === 'SessionsRevoked')).toMatchObject([{ sessions: [first.id] }])
})

test('a code of the mail sets a new password and ends every session', async () => {
  const gia = await world.join('Gia')
  const asked = await forgotPassword(visitor(), { email: gia.email })
  expect(asked).toEqual({
    ok: true,
    value: { message: 'Verification code sent to your email. Check Inbox or Spam' },
  })
  await until('the mail is there', () => world.mail(gia.email))
  const reset = { email: gia.email, code: await codeOf(world, gia.email), newPassword: NEW_PASSWORD }
  expect(await resetPassword(visitor(), { ...reset, confirm: `${NEW_PASSWORD}x` })).toMatchObject({
    status: 400,
    error: 'Passwords do not match.',
  })
  expect(await resetPassword(visitor(), { ...reset, newPassword: 'password123' })).toMatchObject({ status: 400 })
  expect(await resetPassword(visitor(), { ...reset, confirm: NEW_PASSWORD })).toEqual({
    ok: true,
    value: { message: 'Password reset successful! Please login.' },
  })
  expect(await world.services.sessions.find(gia.token)).toBeNull()
  expect(await logIn(visitor(), { email: gia.email, password: PASSWORD, label })).toEqual(INVALID)
  expect(await logIn(visitor(), { email: gia.email, password: NEW_PASSWORD, label })).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), reset)).toMatchObject({ status: 400, error: 'Invalid or expired code.' })
})

test('the link of the mail stands for address and code, once', async () => {
  const hal = await world.join('Hal')
  await forgotPassword(visitor(), { email: hal.email })
  const mail = await until('the mail is there', () => world.mail(hal.email))
  const link = /link=([\w-]+)/.exec(mail.text)?.[1]
  expect(await resetPassword(visitor(), { link, newPassword: NEW_PASSWORD })).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), { link, newPassword: NEW_PASSWORD })).toMatchObject({ status: 400 })
})

test('an unknown address gets the same answer and no mail, and no code fits it', async () => {
  const email = 'nobody.at.all@example.com'
  expect(await forgotPassword(visitor(), { email })).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), { email, code: '123456', newPassword: NEW_PASSWORD })).toMatchObject({
    status: 400,
    error: 'Invalid or expired code.',
  })
  expect(await world.mail(email)).toBeNull()
  expect(await forgotPassword(visitor(), { email: 'no address' })).toMatchObject({
    status: 400,
    error: 'Please enter a valid email address.',
  })
})
