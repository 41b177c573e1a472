import { afterAll, beforeAll, expect, test } from 'vitest'
import { turnOn } from '../support/outside/authenticator.ts'
import { startWorld, type World } from '../support/world.ts'
import { PASSWORD, type Person } from '../support/world-people.ts'

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
