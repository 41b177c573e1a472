import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { codeOf, PASSWORD } from '../../support/newcomers.ts'
import { type Authenticator, STEP_MS, turnOn } from '../../support/outside/authenticator.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let offsetMs = 0
const now = () => new Date(Date.now() + offsetMs)
const pass = (ms: number) => {
  offsetMs += ms
}
let world: World
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, visitor } = await startStrictWorld({ now }))
})
afterAll(() => world.stop())

const label = 'A test'
const MINUTE = 60_000
const OVER = { ok: false, reason: 'sign-in-over' }
const WRONG = { ok: false, reason: 'wrong-code' }
const NEW_PASSWORD = 'copper-meadow-77-train'

async function guarded(
  name: string,
): Promise<{ who: Person; app: Authenticator & { recoveryCodes: readonly string[] } }> {
  const who = await world.member(name)
  return { who, app: await turnOn(world.services, who.id, now) }
}
/** The challenge of a right password. */
async function challenge({ email }: Person, more: { remember?: boolean; device?: string } = {}): Promise<string> {
  const asked = await logIn(visitor(), { email, password: PASSWORD, label, ...more })
  if (asked.ok || !asked.challenge) throw new Error(`No challenge: ${JSON.stringify(asked)}`)
  return asked.challenge
}
const give = (challenge: string, code: string, device?: string) =>
  giveCode(visitor(), { challenge, code, label, device })
const newDevices = async ({ id }: Person) =>
  (await world.core.log.read(`member-${id}`, 0)).filter(({ type }) => type === 'SignedInOnNewDevice').length
const sessionsOf = ({ id }: Person) => world.services.sessions.list(id)

test('a right password opens no session where a second factor is on; its code does, and is as the password was', async () => {
  const { who, app } = await guarded('Ann')
  const before = await sessionsOf(who)
  const asked = await logIn(visitor(), { email: who.email, password: PASSWORD, remember: true, label })
  expect(asked).toEqual({ ok: false, reason: 'second-factor', challenge: expect.stringMatching(/^[\w-]{43}$/) })
  expect(await sessionsOf(who)).toEqual(before)
  expect(await newDevices(who)).toBe(0)
  const wrong = await logIn(visitor(), { email: who.email, password: 'something else', label })
  expect(wrong).toEqual({ ok: false, reason: 'invalid-credentials' })
  const token = asked.ok ? '' : (asked.challenge ?? '')
  expect(await give(token, ' ')).toEqual({ ok: false, reason: 'code-required' })
  const opened = await give(token, app.next().replace(/(...)/, '$1 '))
  expect(opened).toMatchObject({ ok: true, value: { member: who.id, status: 'active', session: { remember: true } } })
  expect(await newDevices(who)).toBe(1)
  expect(await give(token, app.next())).toEqual(OVER)
  const short = await give(await challenge(who), app.recoveryCodes[0]!)
  expect(short).toMatchObject({ ok: true, value: { session: { remember: false } } })
})

test('the same code sent at once for two sign-ins opens one session', async () => {
  const { who, app } = await guarded('Bea')
  const tokens = [await challenge(who), await challenge(who)]
  const before = (await sessionsOf(who)).length
  const code = app.next()
  const outcomes = await Promise.all(tokens.map((token) => give(token, code)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await sessionsOf(who)).toHaveLength(before + 1)
})

test('two right codes for one sign-in open one session', async () => {
  const { who, app } = await guarded('Nora')
  const token = await challenge(who)
  const before = (await sessionsOf(who)).length
  const ports = visitor()
  const codeGuard: Ports['codeGuard'] = {
    ...ports.codeGuard,
    async passed(of) {
      expect(await give(token, app.recoveryCodes[0]!)).toMatchObject({ ok: true })
      return ports.codeGuard.passed(of)
    },
  }
  expect(await giveCode({ ...ports, codeGuard }, { challenge: token, code: app.next(), label })).toEqual(OVER)
  expect(await sessionsOf(who)).toHaveLength(before + 1)
})

test('five wrong codes end a sign-in, of which its owner hears, and so do five minutes', async () => {
  const { who, app } = await guarded('Cat')
  const token = await challenge(who)
  for (let tries = 1; tries < 5; tries++) expect(await give(token, app.wrong())).toEqual(WRONG)
  expect(await give(token, app.wrong())).toEqual(OVER)
  expect(await give(token, app.next())).toEqual(OVER)
  const mail = await until('the mail is there', () => world.mail(who.email))
  expect(mail.subject).toBe('A sign-in to your LetsBuzz account was stopped')
  // Either may have come before the codes.
  expect(mail.text).toMatch(/gave your password, or signed in with your Google account, and then gave wrong codes/)
  const late = await challenge(who)
  pass(5 * MINUTE)
  expect(await give(late, app.next())).toEqual(OVER)
})

test('many sign-ins get no more codes looked at than an account has, and a known device has its own', async () => {
  const { who, app } = await guarded('Dan')
  const known = await give(await challenge(who), app.next())
  if (!known.ok) throw new Error(known.reason)
  const { device } = known.value
  pass(STEP_MS)
  const reasons: string[] = []
  for (let sign = 0; sign < 3; sign++) {
    const token = await challenge(who)
    for (let tries = 0; tries < 4; tries++) {
      const given = await give(token, app.wrong())
      reasons.push(given.ok ? 'signed in' : given.reason)
    }
  }
  expect(reasons).toEqual([...Array(10).fill('wrong-code'), 'too-many-codes', 'too-many-codes'])
  const right = await give(await challenge(who), app.next())
  expect(right).toEqual({ ok: false, reason: 'too-many-codes', retryInMs: expect.any(Number) })
  expect(await give(await challenge(who, { device }), app.next(), device)).toMatchObject({ ok: true })
  expect(await give(await challenge(who), app.recoveryCodes[0]!)).toMatchObject({ ok: true })
})

test('a new password by mail forgets no wrong codes', async () => {
  const { who, app } = await guarded('Nia')
  for (let tries = 0; tries < 10; tries++) expect(await give(await challenge(who), app.wrong())).toEqual(WRONG)
  await world.services.loginGuard.clear(world.services.credentials.emailKey(who.email))
  expect(await give(await challenge(who), app.next())).toMatchObject({ ok: false, reason: 'too-many-codes' })
})

test('a hundred wrong codes in a row end the codes of the app, until a recovery code', async () => {
  const { who, app } = await guarded('Eve')
  const row = { in_window: 0, in_a_row: 100, waits: 0, window_started_at: now(), next_at: now() }
  const key = `code:${world.services.credentials.emailKey(who.email)}`
  await world.core.storage.app
    .insertInto('login_guard')
    .values({ key, ...row })
    .execute()
  expect(await give(await challenge(who), app.next())).toMatchObject({ ok: false, reason: 'recovery-code-needed' })
  expect(await give(await challenge(who), app.recoveryCodes[0]!)).toMatchObject({ ok: true })
  expect(await give(await challenge(who), app.next())).toMatchObject({ ok: true })
})

test('a new password by mail ends a sign-in under way, and signs nobody in without a code', async () => {
  const { who, app } = await guarded('Fay')
  const token = await challenge(who)
  await forgotPassword(visitor(), { email: who.email })
  await until('the mail is there', () => world.mail(who.email))
  const reset = { email: who.email, code: await codeOf(world, who.email), newPassword: NEW_PASSWORD }
  expect(await resetPassword(visitor(), reset)).toMatchObject({ ok: true })
  expect(await give(token, app.next())).toEqual(OVER)
  const again = await logIn(visitor(), { email: who.email, password: NEW_PASSWORD, label })
  expect(again).toMatchObject({ ok: false, reason: 'second-factor' })
  expect(await sessionsOf(who)).toEqual([])
})

test('a reset between a right code and its session leaves no session', async () => {
  const { who, app } = await guarded('Gus')
  const token = await challenge(who)
  await forgotPassword(visitor(), { email: who.email })
  await until('the mail is there', () => world.mail(who.email))
  const reset = { email: who.email, code: await codeOf(world, who.email), newPassword: NEW_PASSWORD }
  const ports = visitor()
  const codeGuard: Ports['codeGuard'] = {
    ...ports.codeGuard,
    async passed(of) {
      expect(await resetPassword(visitor(), reset)).toMatchObject({ ok: true })
      return ports.codeGuard.passed(of)
    },
  }
  expect(await giveCode({ ...ports, codeGuard }, { challenge: token, code: app.next(), label })).toEqual(OVER)
  expect(await sessionsOf(who)).toEqual([])
})

test('a second factor that is turned on while a log-in is under way is asked for all the same', async () => {
  const who = await world.member('Hal')
  const ports = visitor()
  const secondFactor: Ports['secondFactor'] = {
    ...ports.secondFactor,
    async isOn(member) {
      const before = await ports.secondFactor.isOn(member)
      await turnOn(world.services, member, now)
      return before
    },
  }
  const before = (await sessionsOf(who)).length
  const given = { email: who.email, password: PASSWORD, label }
  expect(await logIn({ ...ports, secondFactor }, given)).toEqual({ ok: false, reason: 'invalid-credentials' })
  expect(await sessionsOf(who)).toHaveLength(before)
})

test('a suspended member stays out after the right code; a deactivated one comes in', async () => {
  const [ivo, joy] = [await guarded('Ivo'), await guarded('Joy')]
  const tokens = [await challenge(ivo.who), await challenge(joy.who)] as const
  await world.account(ivo.who, 'Suspend')
  await world.account(joy.who, 'Deactivate')
  expect(await give(tokens[0], ivo.app.next())).toEqual({ ok: false, reason: 'suspended' })
  expect(await give(tokens[1], joy.app.next())).toMatchObject({ ok: true, value: { status: 'deactivated' } })
})

test('whoever is shut out keeps the code that they give', async () => {
  const { who, app } = await guarded('Olga')
  const token = await challenge(who)
  await world.account(who, 'Suspend')
  expect(await give(token, app.recoveryCodes[0]!)).toEqual({ ok: false, reason: 'suspended' })
  await world.account(who, 'Reinstate')
  expect(await give(await challenge(who), app.recoveryCodes[0]!)).toMatchObject({ ok: true })
})

test('the code of one member ends no sign-in of another', async () => {
  const [kim, lea] = [await guarded('Kim'), await guarded('Lea')]
  const token = await challenge(kim.who)
  expect(await give(token, lea.app.next())).toEqual(WRONG)
  expect(await give(token, lea.app.recoveryCodes[0]!)).toEqual(WRONG)
  expect(await give('x'.repeat(43), kim.app.next())).toEqual(OVER)
})

test('one connection may try thirty times, and gets back what a sign-in took', async () => {
  const { who, app } = await guarded('Mia')
  const ports = visitor()
  for (let round = 0; round < 20; round++) {
    const asked = await logIn(ports, { email: who.email, password: PASSWORD, label })
    const given = await giveCode(ports, { challenge: (!asked.ok && asked.challenge) || '', code: app.next(), label })
    expect([round, given.ok]).toEqual([round, true])
    pass(STEP_MS)
  }
  const tried = []
  for (let tries = 0; tries < 31; tries++) tried.push(await giveCode(ports, { challenge: 'unknown', code: '1', label }))
  expect(tried.at(-2)).toEqual(OVER)
  expect(tried.at(-1)).toEqual({ ok: false, reason: 'slow-down', retryInMs: expect.any(Number) })
})

test('a known device ends its sign-in where others of its network used up its tries', async () => {
  const { who, app } = await guarded('Pia')
  const known = await give(await challenge(who), app.next())
  if (!known.ok) throw new Error(known.reason)
  const { device } = known.value
  const ports = visitor()
  for (let tries = 0; tries < 30; tries++) await giveCode(ports, { challenge: 'unknown', code: '1', label })
  const asked = await logIn(ports, { email: who.email, password: PASSWORD, device, label })
  const given = { challenge: (!asked.ok && asked.challenge) || '', code: app.recoveryCodes[0]!, label }
  expect(await giveCode(ports, given)).toMatchObject({ ok: false, reason: 'slow-down' })
  expect(await giveCode(ports, { ...given, challenge: 'unknown', device })).toMatchObject({ reason: 'slow-down' })
  expect(await giveCode(ports, { ...given, device })).toMatchObject({ ok: true })
  expect(await giveCode(ports, given)).toMatchObject({ ok: false, reason: 'slow-down' })
})

test.each([
  ['known, then not', true, false],
  ['not known, then known', false, true],
  ['never known', false, false],
])('a sign-in gives its networks back what it took of each: its device is %s', async (name, first, second) => {
  const { who, app } = await guarded(`Quinn ${name}`)
  const known = await give(await challenge(who), app.next())
  if (!known.ok) throw new Error(known.reason)
  const { device } = known.value
  const [office, home] = [visitor(), visitor()]
  const guess = (ports: Ports) => giveCode(ports, { challenge: 'unknown', code: '1', label })
  for (const ports of [office, home]) for (let tries = 0; tries < 28; tries++) await guess(ports)
  for (const [at, then] of [[office, office] as const, [office, home] as const]) {
    const asked = await logIn(at, { email: who.email, password: PASSWORD, label, ...(first && { device }) })
    pass(STEP_MS)
    const given = { challenge: (!asked.ok && asked.challenge) || '', code: app.next(), label }
    expect(await giveCode(then, { ...given, ...(second && { device }) })).toMatchObject({ ok: true })
  }
  for (const ports of [office, home]) {
    const left = [await guess(ports), await guess(ports), await guess(ports)]
    expect(left).toMatchObject([OVER, OVER, { reason: 'slow-down' }])
  }
})
