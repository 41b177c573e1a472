import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendCode } from '../../../usecases/identity/send-code.ts'
import { verifyCode } from '../../../usecases/identity/verify-code.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let at = Date.now()
beforeAll(async () => {
  world = await startWorld({ web: false, now: () => new Date(at) })
})
afterAll(() => world?.stop())

const EMAIL = 'newcomer@example.com'
const codeOf = async () => /\b(\d{6})\b/.exec((await world.mail(EMAIL))?.subject ?? '')?.[1] ?? 'none'

test('wrong codes of a stranger do not keep the holder of an address from signing up', async () => {
  const { context } = world
  // Ten mails a day, five tries each, for two days: within the limits of SEND and CODE.
  for (let mail = 0; mail < 20; mail++) {
    expect((await sendCode(context, { email: EMAIL })).ok).toBe(true)
    for (let tries = 0; tries < 5; tries++) {
      const right = await codeOf()
      await verifyCode(context, { email: EMAIL, code: String((Number(right) + 1) % 1e6).padStart(6, '0') })
    }
    at += 2.4 * 3_600_000
  }
  // A week later the holder signs up, with the code of their own mail.
  at += 7 * 86_400_000
  expect((await sendCode(context, { email: EMAIL })).ok).toBe(true)
  expect(await verifyCode(context, { email: EMAIL, code: await codeOf() })).toMatchObject({ ok: true })
})
