import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import { sendCode } from '../../../usecases/identity/send-code.ts'
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

const refusal = (reason: string) => ({ ok: false, reason, retryInMs: expect.any(Number) })
const [SLOW_DOWN, CODE_ISSUED] = [refusal('slow-down'), refusal('code-issued')]
const MAILS = [sendCode, forgotPassword]

test('a connection whose mails are used up is told of no code, whether there is one or not', async () => {
  const campus = visitor()
  for (let mail = 0; mail < 18; mail++) await sendCode(campus, { email: `m${mail}@example.com` })
  const [asked, fresh] = [{ email: 'asked@example.com' }, { email: 'fresh@example.com' }]
  expect(await sendCode(campus, asked)).toMatchObject({ ok: true })
  expect(await forgotPassword(campus, { email: 'reset@example.com' })).toMatchObject({ ok: true })
  for (const mail of MAILS)
    for (const input of [asked, fresh, { email: 'reset@example.com' }])
      expect(await mail(campus, input)).toEqual(SLOW_DOWN)
  expect(await world.mail(fresh.email)).toBeNull()
})

test.each([MAILS, [...MAILS].reverse()] as [typeof sendCode, typeof forgotPassword][])(
  'codes of the two purposes count apart for an address, with an account and without',
  async (first, second) => {
    const { email } = await world.member(`A ${first.name}`)
    for (const input of [{ email }, { email: `nobody.${first.name}@example.com` }]) {
      expect(await first(visitor(), input)).toMatchObject({ ok: true })
      expect(await second(visitor(), input)).toMatchObject({ ok: true })
      expect(await first(visitor(), input)).toEqual(CODE_ISSUED)
    }
  },
)

test('sign-up codes that others ask for keep no owner of an address from a reset', async () => {
  const { email } = await world.member('Fay')
  const emailKey = world.services.credentials.emailKey(email)
  for (let asked = 0; asked < 10; asked++) await world.services.limits.take('SEND', `signup:${emailKey}`)
  expect(await sendCode(visitor(), { email })).toEqual(SLOW_DOWN)
  expect(await forgotPassword(visitor(), { email })).toMatchObject({ ok: true })
})

test.each(MAILS.map((mail) => [mail.name, mail] as const))(
  'a second %s is answered alike for an address with an account and one without',
  async (name, mail) => {
    const { email } = await world.member(`B ${name}`)
    for (const input of [{ email }, { email: `stranger.${name}@example.com`.toLowerCase() }]) {
      expect(await mail(visitor(), input)).toEqual({ ok: true, value: null })
      expect(await mail(visitor(), input)).toEqual(CODE_ISSUED)
    }
  },
)

test('a stranger does not see that the code of a reset was used, which shows that there is an account', async () => {
  const { email } = await world.member('Cat')
  await forgotPassword(visitor(), { email })
  await until('the mail is there', async () => (await codeOf(world, email)) !== 'no code')
  const given = { email, code: await codeOf(world, email), newPassword: 'granite-willow-43-sail' }
  expect(await resetPassword(visitor(), given)).toMatchObject({ ok: true })
  expect(await resetPassword(visitor(), given)).toEqual({ ok: false, reason: 'invalid-code' })
  expect(await forgotPassword(visitor(), { email })).toEqual(CODE_ISSUED)
})
