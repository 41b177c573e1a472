import { afterAll, beforeAll, expect, test } from 'vitest'
import { CODE_MAIL, codeOf, PASSWORD } from '../support/newcomers.ts'
import { authenticator, turnOn } from '../support/outside/authenticator.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
}, 240_000)
afterAll(() => world.stop())

const post = async (path: string, body: object, init: { as?: Person; method?: string } = {}) => {
  const answer = await world.api(path, { method: 'POST', ...init, body: JSON.stringify(body) })
  return { status: answer.status, json: await answer.json() }
}
/** As if somebody who knows the password had guessed a hundred codes at the log-in. */
async function guessedAt({ email }: Person): Promise<void> {
  const key = `code:${world.services.credentials.emailKey(email)}`
  const at = new Date()
  const row = { key, in_window: 0, in_a_row: 100, waits: 0, window_started_at: at, next_at: at }
  await world.core.storage.app.insertInto('login_guard').values(row).execute()
}

test('by calls: a program that signed in with a code is not shut out by the guesses of others', async () => {
  const ann = await world.member('Ann')
  const app = await turnOn(world.services, ann.id)
  const { challenge } = (await post('/auth/login', { email: ann.email, password: PASSWORD })).json
  const { token } = (await post('/auth/second-factor', { challenge, code: app.next() })).json
  await guessedAt(ann)
  const off = await post('/account/second-factor', { code: app.next() }, { as: { ...ann, token }, method: 'DELETE' })
  expect(off).toEqual({ status: 200, json: { success: true } })
})

test('by pages: nor is a browser that signed in before', async () => {
  const bea = await world.member('Bea')
  const app = await turnOn(world.services, bea.id)
  const emailKey = world.services.credentials.emailKey(bea.email)
  const { device } = await world.services.loginGuard.succeeded({ emailKey })
  await guessedAt(bea)
  const ask = async (cookie: string) => {
    const body = new URLSearchParams({ intent: 'ask-delete', password: PASSWORD, code: app.next() })
    const headers = { Cookie: `__Host-buzz=${bea.token}${cookie}` }
    return (await world.page('/settings/delete', { method: 'POST', body, headers })).status
  }
  expect(await ask('')).toBe(429)
  expect(await ask(`; __Host-device=${device}`)).toBe(302)
})

const NEW_PASSWORD = 'copper-meadow-77-train'

async function resetCode({ email }: Person): Promise<string> {
  expect((await post('/auth/forgot-password', { email })).status).toBe(200)
  await until('the mail is there', () => world.mail(email, CODE_MAIL))
  return codeOf(world, email)
}
/** As if others, who have the address alone, had guessed at the password until the account is throttled. */
async function guessedFromElsewhere({ email }: Person): Promise<void> {
  const emailKey = world.services.credentials.emailKey(email)
  for (let n = 0; n < 12; n++) await world.services.loginGuard.before({ emailKey })
}
const send = (path: string, fields: Record<string, string>, Cookie = '') =>
  world.page(path, { method: 'POST', body: new URLSearchParams(fields), headers: { Cookie } })
const deviceIn = (answer: Response) =>
  answer.headers.getSetCookie().flatMap((cookie) => /^__Host-device=[^;]+/.exec(cookie) ?? [])[0] ?? ''

/** The same by a form without script, in a browser that has this. */
async function resetInBrowser(who: Person, cookie = ''): Promise<string> {
  const both = { newPassword: NEW_PASSWORD, confirm: NEW_PASSWORD }
  const fields = { intent: 'reset', email: who.email, code: await resetCode(who), ...both }
  const answer = await send('/forgot-password', fields, cookie)
  expect([answer.status, (await answer.text()).includes('Password reset successful!')]).toEqual([200, true])
  return deviceIn(answer)
}

test('by pages: the browser that sets a password by mail is known, and no other that was', async () => {
  const cat = await world.member('Cat')
  const signIn = (password: string, cookie = '') => send('/login', { email: cat.email, password }, cookie)
  const before = deviceIn(await signIn(PASSWORD))
  const device = await resetInBrowser(cat)
  expect(device).toMatch(/=[\w-]{43}$/)
  await guessedFromElsewhere(cat)
  expect([(await signIn(NEW_PASSWORD, before)).status, (await signIn(NEW_PASSWORD, device)).status]).toEqual([429, 302])
})

test('by pages: a browser that was known keeps its token through a reset', async () => {
  const dan = await world.member('Dan')
  const before = deviceIn(await send('/login', { email: dan.email, password: PASSWORD }))
  expect(await resetInBrowser(dan, before)).toBe(before)
  await guessedFromElsewhere(dan)
  expect((await send('/login', { email: dan.email, password: NEW_PASSWORD }, before)).status).toBe(302)
})

test('by calls: the program that sets a password by mail is not shut out by the guesses of others', async () => {
  const eve = await world.member('Eve')
  const given = { email: eve.email, code: await resetCode(eve), newPassword: NEW_PASSWORD }
  expect((await post('/auth/reset-password', given)).status).toBe(200)
  await guessedFromElsewhere(eve)
  expect((await post('/auth/login', { email: eve.email, password: NEW_PASSWORD })).status).toBe(200)
})

test('by calls: guesses of other programs of the network, whatever they call themselves, count together and shut out no known one', async () => {
  const ivy = await world.member('Ivy')
  const signIn = async (agent: string, password: string) => {
    const body = JSON.stringify({ email: ivy.email, password })
    return (await world.api('/auth/login', { method: 'POST', headers: { 'User-Agent': agent }, body })).status
  }
  expect(await signIn('okhttp/4.9', PASSWORD)).toBe(200)
  const guesses = []
  for (let n = 0; n < 11; n++) guesses.push(await signIn(`guesser${n}/1`, 'no-such-secret'))
  expect(guesses).toEqual([...Array(10).fill(401), 429])
  expect([await signIn('guesser/1', PASSWORD), await signIn('okhttp/4.10', PASSWORD)]).toEqual([429, 200])
})

test('where a second factor is on, a reset makes no browser known', async () => {
  const fay = await world.member('Fay')
  await turnOn(world.services, fay.id)
  expect(await resetInBrowser(fay)).toBe('')
})

test('where a second factor is on, a reset keeps a browser known that was', async () => {
  const hal = await world.member('Hal')
  await turnOn(world.services, hal.id)
  const emailKey = world.services.credentials.emailKey(hal.email)
  const cookie = `__Host-device=${(await world.services.loginGuard.succeeded({ emailKey })).device}`
  expect(await resetInBrowser(hal, cookie)).toBe(cookie)
  await guessedFromElsewhere(hal)
  const login = await send('/login', { email: hal.email, password: NEW_PASSWORD }, cookie)
  expect([login.status, login.headers.get('Location')]).toEqual([302, '/login/code'])
})

test('the browser that turns a second factor on stays known, and no other that was', async () => {
  const gus = await world.member('Gus')
  const emailKey = world.services.credentials.emailKey(gus.email)
  const [own, other] = [
    await world.services.loginGuard.succeeded({ emailKey }),
    await world.services.loginGuard.succeeded({ emailKey }),
  ]
  const secret = (await world.services.secondFactor.begin(gus.id))!
  const app = authenticator(secret, () => new Date())
  expect(await world.services.secondFactor.confirm(gus.id, app.next(), own.device)).toHaveLength(10)
  const knows = ({ device }: { device: string }) => world.services.loginGuard.knows({ emailKey, device })
  expect([await knows(own), await knows(other)]).toEqual([true, false])
})
