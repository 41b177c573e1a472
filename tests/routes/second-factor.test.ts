import { afterAll, beforeAll, expect, test } from 'vitest'
import { RECENT_MS } from '../../usecases/identity/prove.ts'
import { PASSWORD } from '../support/newcomers.ts'
import { authenticator, turnOn } from '../support/outside/authenticator.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 240_000)
afterAll(() => world.stop())

const now = () => new Date()
const FACTOR = '/account/second-factor'

async function call(method: string, path: string, body?: object, as?: Person) {
  const response = await world.api(path, { ...(as && { as }), method, ...(body && { body: JSON.stringify(body) }) })
  return { status: response.status, json: await response.json() }
}
const logIn = ({ email }: Person) => call('POST', '/auth/login', { email, password: PASSWORD })
const give = (challenge: string, code: string) => call('POST', '/auth/second-factor', { challenge, code })
/** As if the member had signed in long ago. */
async function longAgo({ id }: Person): Promise<void> {
  const auth_at = new Date(Date.now() - RECENT_MS - 1_000)
  await world.core.storage.app.updateTable('session').set({ auth_at }).where('member', '=', id).execute()
}

test('by calls: a second factor is set up, asked for, renewed and turned off', async () => {
  const ann = await world.member('Ann')
  expect(await call('GET', FACTOR, undefined, ann)).toEqual({ status: 200, json: { on: false } })
  const { json: begun } = await call('POST', FACTOR, undefined, ann)
  const app = authenticator(begun.secret, now)
  expect((await logIn(ann)).status).toBe(200)
  const confirmed = await call('POST', `${FACTOR}/confirm`, { code: app.next() }, ann)
  expect([confirmed.status, confirmed.json.recoveryCodes]).toMatchObject([200, { length: 10 }])
  const [first, second, third] = confirmed.json.recoveryCodes
  const on = { on: true, since: expect.any(String), recoveryCodesLeft: 10 }
  expect(await call('GET', FACTOR, undefined, ann)).toEqual({ status: 200, json: on })
  expect(await call('POST', FACTOR, undefined, ann)).toMatchObject({ status: 409 })

  const asked = await logIn(ann)
  const wanted = { error: 'Enter your code.', code: 'second_factor', challenge: expect.stringMatching(/^[\w-]{43}$/) }
  expect(asked).toEqual({ status: 403, json: wanted })
  const { challenge } = asked.json
  const wrong = { error: 'Incorrect code. Please check again.', code: 'second_factor', fields: expect.any(Object) }
  expect(await give(challenge, app.wrong())).toEqual({ status: 403, json: wrong })
  const signedIn = await give(challenge, app.next())
  expect(signedIn).toMatchObject({ status: 200, json: { token: expect.any(String), user: { id: ann.id } } })
  const over = { status: 401, json: { error: 'This sign-in is over. Please login again.' } }
  expect(await give(challenge, app.next())).toEqual(over)
  expect(await give((await logIn(ann)).json.challenge, first)).toMatchObject({ status: 200 })

  const renewed = await call('POST', `${FACTOR}/recovery-codes`, { code: second }, ann)
  expect(renewed.json.recoveryCodes).toHaveLength(10)
  expect(await call('DELETE', FACTOR, { code: third }, ann)).toEqual({ status: 403, json: wrong })
  const off = await call('DELETE', FACTOR, { code: renewed.json.recoveryCodes[0] }, ann)
  expect(off).toEqual({ status: 200, json: { success: true } })
  expect((await logIn(ann)).status).toBe(200)
})

test('by calls: what guards an account is changed, and others are signed out, soon after signing in alone', async () => {
  const bea = await world.member('Bea')
  const app = await turnOn(world.services, bea.id)
  await longAgo(bea)
  const again = { status: 403, json: { error: 'Please login again.', code: 'reauth' } }
  const code = { code: app.recoveryCodes[0] }
  for (const [method, path, body] of [
    ['POST', FACTOR],
    ['POST', `${FACTOR}/confirm`, code],
    ['POST', `${FACTOR}/recovery-codes`, code],
    ['DELETE', FACTOR, code],
    ['DELETE', '/auth/sessions/all'],
    ['DELETE', `/auth/sessions/${'a'.repeat(24)}`],
  ] as const)
    expect([path, await call(method, path, body, bea)]).toEqual([path, again])
})

test('by calls: sessions are listed, and ended one by one or all others at once', async () => {
  const cat = await world.member('Cat')
  const others = await Promise.all([logIn(cat), logIn(cat), logIn(cat)])
  const list = async () => (await call('GET', '/auth/sessions', undefined, cat)).json.sessions
  const sessions = await list()
  expect(sessions).toHaveLength(4)
  const current = sessions.filter((one: { current: boolean }) => one.current)
  expect(current).toEqual([{ id: expect.any(String), label: 'A test', lastSeen: expect.any(String), current: true }])
  const tokens = [cat.token, ...others.map(({ json }) => json.token)]
  for (const token of tokens) expect(JSON.stringify(sessions)).not.toContain(token)
  const one = sessions.find((session: { current: boolean }) => !session.current)
  const ended = { status: 200, json: { success: true } }
  expect(await call('DELETE', `/auth/sessions/${one.id}`, undefined, cat)).toEqual(ended)
  expect(await call('DELETE', `/auth/sessions/${one.id}`, undefined, cat)).toMatchObject({ status: 404 })
  expect(await list()).toHaveLength(3)
  expect(await call('DELETE', '/auth/sessions/all', undefined, cat)).toEqual(ended)
  expect(await list()).toEqual([expect.objectContaining({ current: true })])
  expect(await call('DELETE', `/auth/sessions/${current[0].id}`, undefined, cat)).toEqual(ended)
  expect((await call('GET', '/auth/sessions', undefined, cat)).status).toBe(401)
})

test('of two devices that end all others at once one stays signed in', async () => {
  const gil = await world.member('Gil')
  for (let turn = 0; turn < 5; turn++) {
    const both = [await logIn(gil), await logIn(gil)].map(({ json }) => ({ ...gil, token: json.token }))
    const ended = await Promise.all(both.map((as) => call('DELETE', '/auth/sessions/all', undefined, as)))
    const alive = await Promise.all(both.map((as) => call('GET', '/auth/sessions', undefined, as)))
    expect(alive.map(({ status }) => status).sort()).toEqual([200, 401])
    for (const [index, { status }] of ended.entries()) expect(status === 200).toBe(alive[index]?.status === 200)
  }
})

const post = (path: string, fields: Record<string, string>, cookie = '') =>
  world.page(path, { method: 'POST', body: new URLSearchParams(fields), headers: { Cookie: cookie } })
const cookieOf = (response: Response, name: string) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`)) ?? ''
const cookiePair = (response: Response, name: string) => cookieOf(response, name).split(';')[0]!

/** The page of the code, as a browser comes to it with the right password. */
async function askedFor({ email }: Person, more: Record<string, string> = {}) {
  const login = await post('/login', { email, password: PASSWORD, ...more })
  return { login, to: login.headers.get('Location') ?? '', cookie: cookiePair(login, '__Host-challenge') }
}

test('by pages: the code is asked on a page of its own, which keeps where to go and for how long', async () => {
  const dan = await world.member('Dan')
  const app = await turnOn(world.services, dan.id)
  const { login, to, cookie } = await askedFor(dan, { redirectTo: '/chat', remember: 'yes' })
  expect([login.status, to, cookieOf(login, '__Host-buzz')]).toEqual([302, '/login/code?redirectTo=%2Fchat', ''])
  expect(cookieOf(login, '__Host-challenge')).toMatch(
    /^__Host-challenge=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
  const page = await (await world.page(to, { headers: { Cookie: cookie } })).text()
  for (const part of ['autoComplete="one-time-code"', 'inputMode="numeric"', 'Use a recovery code', 'Back to login'])
    expect(page).toContain(part)
  expect(page).not.toContain(cookie.split('=')[1])
  const wrong = await post(to, { code: app.wrong() }, cookie)
  expect([wrong.status, (await wrong.text()).includes('Incorrect code. Please check again.')]).toEqual([403, true])
  const empty = await post(to, {}, cookie)
  expect([empty.status, (await empty.text()).includes('Enter your code.')]).toEqual([403, true])
  const done = await post(to, { code: app.next() }, cookie)
  expect([done.status, done.headers.get('Location')]).toEqual([302, '/chat'])
  expect(cookieOf(done, '__Host-buzz')).toContain('Max-Age=2592000')
  expect(cookieOf(done, '__Host-challenge')).toContain('Max-Age=0')
  expect(cookieOf(done, '__Host-device')).toContain('Max-Age=')
})

test('by pages: a recovery code does as well, and where to go is a path of ours', async () => {
  const eve = await world.member('Eve')
  const app = await turnOn(world.services, eve.id)
  const { to, cookie } = await askedFor(eve, { redirectTo: '//evil.example' })
  expect(to).toBe('/login/code')
  const page = await (await world.page(`${to}?recovery=`, { headers: { Cookie: cookie } })).text()
  expect(page).toContain('Recovery code')
  const done = await post(`${to}?recovery=&redirectTo=https://evil.example`, { code: app.recoveryCodes[0]! }, cookie)
  expect([done.status, done.headers.get('Location')]).toEqual([302, '/'])
  expect(cookieOf(done, '__Host-buzz')).not.toContain('Max-Age')
})

test('by pages: a sign-in that is over leads back to the login, which says so', async () => {
  const fay = await world.member('Fay')
  const app = await turnOn(world.services, fay.id)
  const { cookie } = await askedFor(fay)
  const here = '/login/code?redirectTo=/chat'
  for (let tries = 1; tries < 5; tries++) expect((await post(here, { code: app.wrong() }, cookie)).status).toBe(403)
  const over = '/login?over=&redirectTo=%2Fchat'
  const last = await post(here, { code: app.wrong() }, cookie)
  expect([last.status, last.headers.get('Location')]).toEqual([302, over])
  const right = await post(here, { code: app.next() }, cookie)
  expect([right.headers.get('Location'), cookieOf(right, '__Host-challenge')]).toEqual([
    over,
    expect.stringContaining('Max-Age=0'),
  ])
  expect((await world.page(here, { headers: { Cookie: cookie } })).headers.get('Location')).toBe(over)
  expect(await (await world.page(over)).text()).toContain('This sign-in is over. Please login again.')
  expect((await post(here, { code: app.next() })).headers.get('Location')).toBe(over)
  expect((await world.page(here)).headers.get('Location')).toBe('/login?redirectTo=%2Fchat')
})

test('by pages: deleting and a copy of the data ask for the code beside the password', async () => {
  const gus = await world.member('Gus')
  const app = await turnOn(world.services, gus.id)
  await longAgo(gus)
  for (const [path, intent] of [
    ['/settings/export', 'export'],
    ['/settings/delete', 'ask-delete'],
  ] as const) {
    const send = (fields: Record<string, string>) => post(path, { intent, password: PASSWORD, ...fields }, gus.cookie)
    expect(await (await world.page(path, { as: gus })).text()).toContain('Of your authenticator app')
    const without = await send({})
    expect([path, without.status, (await without.text()).includes('Enter your code.')]).toEqual([path, 403, true])
    expect([path, (await send({ code: app.wrong() })).status]).toEqual([path, 403])
    expect([path, (await send({ code: app.next() })).status]).toEqual([path, 302])
    await longAgo(gus)
  }
})
