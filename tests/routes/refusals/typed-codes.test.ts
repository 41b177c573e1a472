import { afterAll, beforeAll, expect, test } from 'vitest'
import { RESET_DONE } from '../../../app/words/auth-words.ts'
import { codeOf } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const post = (path: string, fields: Record<string, string>) =>
  world.page(path, { method: 'POST', body: new URLSearchParams(fields) })
/** As a mail program breaks it, and as a hand adds to it. */
const spaced = (code: string) => ` ${code.slice(0, 3)}\u00a0${code.slice(3)} `

test('the code of a sign-up mail is taken with spaces in it', async () => {
  const email = 'spaced@example.com'
  await post('/signup', { intent: 'send', email })
  await until('the mail is there', () => world.mail(email))
  const verified = await post('/signup', { intent: 'verify', email, code: spaced(await codeOf(world, email)) })
  expect([verified.status, verified.headers.get('Location')]).toEqual([302, '/register'])
})

test('the code of a mail about a password is taken with spaces in it by the page, and not by the call', async () => {
  const gia = await world.member('Gia')
  await post('/forgot-password', { intent: 'request', email: gia.email })
  await until('the mail is there', () => world.mail(gia.email))
  const code = await codeOf(world, gia.email)
  const newPassword = 'copper-meadow-77-train'
  const body = JSON.stringify({ email: gia.email, code: `${code.slice(0, 3)} ${code.slice(3)}`, newPassword })
  expect((await world.api('/auth/reset-password', { method: 'POST', body })).status).toBe(400)
  const given = { email: gia.email, code: spaced(code), newPassword, confirm: newPassword }
  expect(await (await post('/forgot-password', { intent: 'reset', ...given })).text()).toContain(RESET_DONE)
})
