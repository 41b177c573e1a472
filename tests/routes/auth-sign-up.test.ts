import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendCode } from '../../usecases/identity/send-code.ts'
import { verifyCode } from '../../usecases/identity/verify-code.ts'
import type { Ports } from '../../usecases/ports.ts'
import { codeOf } from '../support/newcomers.ts'
import { startStrictWorld } from '../support/strict-world.ts'
import type { World } from '../support/world.ts'

let world: World
let visitor: () => Ports
beforeAll(async () => {
  ;({ world, visitor } = await startStrictWorld())
})
afterAll(() => world.stop())

const SENT = { ok: true, value: { message: 'Verification code sent to your email.' } }

test('a code of the mail gives the right to register with that address', async () => {
  const email = 'new@example.com'
  expect(await sendCode(visitor(), { email: ` ${email} ` })).toEqual(SENT)
  const answer = await verifyCode(visitor(), { email: 'NEW@example.com', code: await codeOf(world, email) })
  if (!answer.ok) throw new Error(answer.error)
  expect(await world.services.proofs.find(answer.value.signupToken)).not.toBeNull()
})

test('a member who signs up again gets the same answer and a mail without a code', async () => {
  const ann = await world.join('Ann')
  expect(await sendCode(visitor(), { email: ann.email })).toEqual(SENT)
  expect(await world.mail(ann.email)).toMatchObject({ subject: 'You already have a LetsBuzz account' })
  expect(await codeOf(world, ann.email)).toBe('no code')
  const guess = await verifyCode(visitor(), { email: ann.email, code: '000000' })
  expect(guess).toMatchObject({ status: 400, error: 'Incorrect code. Please check again.' })
})

test('a wrong code may be corrected five times, and then no code fits', async () => {
  const email = 'five@example.com'
  await sendCode(visitor(), { email })
  const right = await codeOf(world, email)
  const wrong = right === '111111' ? '222222' : '111111'
  const answers = []
  for (let tries = 0; tries < 6; tries++) answers.push(await verifyCode(visitor(), { email, code: wrong }))
  expect(answers.map((answer) => !answer.ok && answer.error)).toEqual([
    ...Array(5).fill('Incorrect code. Please check again.'),
    'Invalid or expired code.',
  ])
  expect(await verifyCode(visitor(), { email, code: right })).toMatchObject({ status: 400 })
})

test('an address that is none, and a code that is none, are told apart', async () => {
  for (const email of ['', 'me', 'me@', 'a@b', 7, null]) {
    expect(await sendCode(visitor(), { email })).toMatchObject({
      status: 400,
      error: 'Please enter a valid email address.',
    })
  }
  for (const code of ['', '12345', '1234567', 'abcdef']) {
    expect(await verifyCode(visitor(), { email: 'a@example.com', code })).toMatchObject({
      status: 400,
      error: 'Please enter the 6-digit code.',
    })
  }
})

test('another code within a minute has to wait, and the page can say how long', async () => {
  const email = 'wait@example.com'
  await sendCode(visitor(), { email })
  const again = await sendCode(visitor(), { email })
  expect(again).toMatchObject({ status: 429, error: expect.stringMatching(/ask for another one in \d+ seconds?\./) })
  expect(!again.ok && again.retryInMs).toBeGreaterThan(50_000)
})

test('twenty mails an hour are all that one connection gets', async () => {
  const one = visitor()
  const statuses: number[] = []
  for (let mail = 0; mail < 21; mail++) {
    const answer = await sendCode(one, { email: `m${mail}@example.com` })
    statuses.push(answer.ok ? 200 : answer.status)
  }
  expect(statuses).toEqual([...Array(20).fill(200), 429])
})

test('when the mail does not go out the visitor is told', async () => {
  const mailer = { send: async () => Promise.reject(new Error('No mail today.')), isUp: async () => false }
  expect(await sendCode({ ...visitor(), mailer }, { email: 'down@example.com' })).toMatchObject({
    status: 502,
    error: 'Failed to send code.',
  })
})
