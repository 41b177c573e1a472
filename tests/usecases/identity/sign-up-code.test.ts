import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sendKey } from '../../../usecases/identity/mail-limit.ts'
import { sendCode } from '../../../usecases/identity/send-code.ts'
import { verifyCode } from '../../../usecases/identity/verify-code.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { codeOf } from '../../support/newcomers.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'

let world: World
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const SENT = { ok: true, value: null }

test('a code of the mail gives the right to register with that address', async () => {
  const email = 'new@example.com'
  expect(await sendCode(visitor(), { email: ` ${email} ` })).toEqual(SENT)
  const answer = await verifyCode(visitor(), { email: 'NEW@example.com', code: await codeOf(world, email) })
  if (!answer.ok) throw new Error(answer.reason)
  expect(await world.services.proofs.find(answer.value.signupToken)).not.toBeNull()
})

test('a member who signs up again gets the same answer and a mail without a code', async () => {
  const ann = await world.join('Ann')
  expect(await sendCode(visitor(), { email: ann.email })).toEqual(SENT)
  expect(await world.mail(ann.email)).toMatchObject({ subject: 'You already have a LetsBuzz account' })
  expect(await codeOf(world, ann.email)).toBe('no code')
  const guess = await verifyCode(visitor(), { email: ann.email, code: '000000' })
  expect(guess).toEqual({ ok: false, reason: 'wrong-code' })
})

test('a wrong code may be corrected five times, and then no code fits', async () => {
  const email = 'five@example.com'
  await sendCode(visitor(), { email })
  const right = await codeOf(world, email)
  const wrong = right === '111111' ? '222222' : '111111'
  const answers = []
  for (let tries = 0; tries < 6; tries++) answers.push(await verifyCode(visitor(), { email, code: wrong }))
  expect(answers.map((answer) => !answer.ok && answer.reason)).toEqual([...Array(5).fill('wrong-code'), 'invalid-code'])
  expect(await verifyCode(visitor(), { email, code: right })).toEqual({ ok: false, reason: 'invalid-code' })
})

test('an invalid address and an invalid code are distinguished', async () => {
  for (const email of ['', 'me', 'me@', 'a@b', `${'x'.repeat(250)}@example.com`]) {
    expect(await sendCode(visitor(), { email })).toEqual({ ok: false, reason: 'invalid-email' })
  }
  for (const code of ['', '12345', '1234567', 'abcdef']) {
    expect(await verifyCode(visitor(), { email: 'a@example.com', code })).toEqual({
      ok: false,
      reason: 'malformed-code',
    })
  }
})

test('another code within a minute has to wait, and the page can say how long', async () => {
  const email = 'wait@example.com'
  await sendCode(visitor(), { email })
  const again = await sendCode(visitor(), { email })
  expect(again).toEqual({ ok: false, reason: 'code-issued', retryInMs: expect.any(Number) })
  expect(!again.ok && again.retryInMs).toBeGreaterThan(50_000)
})

test('twenty mails an hour are all that one connection gets', async () => {
  const one = visitor()
  const reasons: string[] = []
  for (let mail = 0; mail < 21; mail++) {
    const answer = await sendCode(one, { email: `m${mail}@example.com` })
    reasons.push(answer.ok ? 'sent' : answer.reason)
  }
  expect(reasons).toEqual([...Array(20).fill('sent'), 'slow-down'])
})

test('when the mail does not go out the visitor sees that', async () => {
  const mailer = { send: async () => Promise.reject(new Error('No mail today.')), isUp: async () => true }
  expect(await sendCode({ ...visitor(), mailer }, { email: 'down@example.com' })).toEqual({
    ok: false,
    reason: 'mail-failed',
  })
})

test('while no mail goes out none is tried, and none counts', async () => {
  const mailer = { send: async () => expect.fail('It sends.'), isUp: async () => false }
  const one = { ...visitor(), mailer }
  for (let mail = 0; mail < 21; mail++) {
    const answer = await sendCode(one, { email: 'away@example.com' })
    expect(answer).toEqual({ ok: false, reason: 'mail-failed' })
  }
})

test('a slow mail server keeps nobody for longer than ten seconds, and the mail counts', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answer = await new Promise<{ sent: ReturnType<typeof sendCode> }>((resolve) => {
    const send = () => {
      resolve({ sent })
      return new Promise<void>(() => undefined)
    }
    const sent = sendCode({ ...visitor(), mailer: { send, isUp: async () => true } }, { email: 'mute@example.com' })
  })
  vi.advanceTimersByTime(10_000)
  expect(await answer.sent).toEqual(SENT)
  vi.useRealTimers()
  expect(await sendCode(visitor(), { email: 'mute@example.com' })).toMatchObject({ ok: false, reason: 'code-issued' })
})

/** Sends a code by a server that has not answered after ten seconds; `fail` has it fail after all. */
async function sentSlowly(one: Ports, email: string) {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answer = await new Promise<{ sent: ReturnType<typeof sendCode>; fail: (error: Error) => void }>((resolve) => {
    const send = () => new Promise<void>((_, fail) => resolve({ sent, fail }))
    const sent = sendCode({ ...one, mailer: { send, isUp: async () => true } }, { email })
  })
  vi.advanceTimersByTime(10_000)
  expect(await answer.sent).toEqual(SENT)
  vi.useRealTimers()
  return answer.fail
}

test('a mail that a slow server refuses after all is reported, and counts for nothing', async () => {
  const [email, reported] = ['late@example.com', [] as unknown[]]
  const one = { ...visitor(), reportError: (error: unknown) => void reported.push(error) }
  const key = sendKey('signup', one.credentials.emailKey(email))
  const refusal = Object.assign(new Error('No mail today.'), { responseCode: 451 })
  const fail = await sentSlowly(one, email)
  expect((await one.limits.peek('SEND', key)).ok).toBe(false)
  fail(refusal)
  await until('it is given back', async () => (await one.limits.peek('SEND', key)).ok)
  expect(reported).toEqual([expect.objectContaining({ name: 'AnswerLost' }), refusal])
})

test('a mail whose slow server was given up may have gone, and counts', async () => {
  const [reported, given] = [[] as unknown[], [] as string[]]
  const own = visitor()
  const limits = { ...own.limits, giveBack: async (rateClass: string) => void given.push(rateClass) }
  const one = { ...own, limits, reportError: (error: unknown) => void reported.push(error) }
  const fail = await sentSlowly(one, 'given-up@example.com')
  fail(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT', command: 'CONN' }))
  await until('it is reported', async () => reported.length === 2)
  expect(given).toEqual([])
})

test('a mail whose connection was lost may have gone: it counts, and its code is good', async () => {
  const email = 'lost@example.com'
  const one = visitor()
  const send: typeof one.mailer.send = async (mail) => {
    await one.mailer.send(mail)
    throw Object.assign(new Error('Connection closed unexpectedly'), { code: 'ECONNECTION', command: 'CONN' })
  }
  const mailer = { ...one.mailer, send }
  expect(await sendCode({ ...one, mailer }, { email })).toEqual({ ok: false, reason: 'mail-failed' })
  expect(await sendCode(one, { email })).toMatchObject({ ok: false, reason: 'code-issued' })
  expect(await verifyCode(one, { email, code: await codeOf(world, email) })).toMatchObject({ ok: true })
})

test('addresses that the mail server refuses count for the connection, like those that have a mail', async () => {
  const error = Object.assign(new Error(), { command: 'RCPT TO', responseCode: 550 })
  const mailer = { send: async () => Promise.reject(error), isUp: async () => true }
  const one = { ...visitor(), mailer }
  const reasons: string[] = []
  for (let mail = 0; mail < 21; mail++) {
    const answer = await sendCode(one, { email: `nobody${mail}@example.com` })
    reasons.push(answer.ok ? 'sent' : answer.reason)
  }
  expect(reasons).toEqual([...Array(20).fill('mail-failed'), 'slow-down'])
})
