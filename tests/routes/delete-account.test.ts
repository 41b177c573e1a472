import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDED_COOKIES } from '../../app/request/cookie.server.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { ACCOUNT_DELETED } from '../../services/mails.ts'
import { RECENT_MS } from '../../usecases/identity/prove.ts'
import { turnOn } from '../support/outside/authenticator.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const HERE = '/settings/delete'
const CONFIRM = `${HERE}?confirm=delete`
const open = async (path: string, as: Person) => (await world.page(path, { as })).text()
const send = (as: Person, fields: Record<string, string>, path = HERE) =>
  world.page(path, { as, method: 'POST', body: new URLSearchParams(fields) })
const remove = (as: Person, body?: object) =>
  world.api('/account/delete', { as, method: 'DELETE', ...(body && { body: JSON.stringify(body) }) })
const statusOf = async ({ id }: Person) => (await world.core.loadState(memberDecider, id)).status

/** As if the member had signed in long ago. */
async function longAgo({ id }: Person): Promise<void> {
  const auth_at = new Date(Date.now() - RECENT_MS - 1_000)
  await world.core.storage.app.updateTable('session').set({ auth_at }).where('member', '=', id).execute()
}

async function expectForgotten(who: Person): Promise<void> {
  expect(await statusOf(who)).toBe('gone')
  const events = await world.core.log.read(`member-${who.id}`)
  expect(events.filter(({ type }) => type === 'ErasureCertified')).toHaveLength(1)
  expect(await world.services.sessions.find(who.token)).toBeNull()
  expect(await world.services.credentials.findByEmail(who.email)).toBeNull()
  expect((await world.mail(who.email))?.subject).toBe(ACCOUNT_DELETED)
}

test('the page asks for the password, then for a typed word, and nothing is left', async () => {
  const ann = await world.member('Ann')
  const page = await open(HERE, ann)
  for (const sentence of ['Permanently Delete', 'There is no way back', 'take a copy of your data'])
    expect(page).toContain(sentence)
  const empty = await send(ann, { intent: 'ask-delete', password: '' })
  expect([empty.status, (await empty.text()).includes('Please enter your password.')]).toEqual([403, true])
  const wrong = await send(ann, { intent: 'ask-delete', password: 'somebody-elses-77' })
  expect([wrong.status, (await wrong.text()).includes('That is not your password.')]).toEqual([403, true])
  const asked = await send(ann, { intent: 'ask-delete', password: ann.password })
  expect(asked.headers.get('Location')).toBe(CONFIRM)
  expect(await open(CONFIRM, ann)).toContain('All your data will be permanently deleted.')
  const unsure = await send(ann, { intent: 'delete', typed: 'no' }, CONFIRM)
  expect([unsure.status, (await unsure.text()).includes('Type DELETE to confirm.')]).toEqual([400, true])
  expect(await statusOf(ann)).toBe('active')
  const headers = { Cookie: `${ann.cookie}; __Host-google:flow-1=x` }
  const body = new URLSearchParams({ intent: 'delete', typed: ' delete ' })
  const gone = await world.page(CONFIRM, { headers, method: 'POST', body })
  expect(gone.headers.get('Location')).toBe('/?goodbye')
  expect(gone.headers.get('Clear-Site-Data')).toBe('"cache", "storage", "cookies"')
  for (const name of ['__Host-buzz', '__Host-device', '__Host-google:flow-1'])
    expect(gone.headers.getSetCookie().some((one) => one.startsWith(`${name}=; Max-Age=0`))).toBe(true)
  await expectForgotten(ann)
  expect((await world.page(HERE, { as: ann })).headers.get('Location')).toBe('/login')
  expect(await (await world.page('/?goodbye')).text()).toContain('Your account is deleted')
})

test('the second step is not open to who gave the password long ago', async () => {
  const bea = await world.member('Bea')
  await longAgo(bea)
  expect(await open(CONFIRM, bea)).not.toContain('All your data will be permanently deleted.')
  const late = await send(bea, { intent: 'delete', typed: 'DELETE' }, CONFIRM)
  expect([late.status, (await late.text()).includes('Please enter your password.')]).toEqual([403, true])
  expect(await statusOf(bea)).toBe('active')
  expect((await send(bea, { intent: 'ask-delete', password: bea.password })).headers.get('Location')).toBe(CONFIRM)
  expect((await send(bea, { intent: 'delete', typed: 'DELETE' }, CONFIRM)).status).toBe(302)
  await expectForgotten(bea)
})

/** As if they had signed up with Google. */
async function withoutPassword(who: Person): Promise<void> {
  const google = { password_hash: null, google_key: `google of ${who.id}` }
  await world.core.storage.app.updateTable('credential').set(google).where('member', '=', who.id).execute()
}

test('an account without a password is asked for none right after its sign-in, and how to come back later', async () => {
  const [jan, again] = [await world.member('Jan'), 'Sign out, sign in with Google again and come back']
  await withoutPassword(jan)
  const page = await open(HERE, jan)
  expect([page.includes('name="password"'), page.includes('You signed in with Google just now')]).toEqual([false, true])

  await longAgo(jan)
  const late = await open(HERE, jan)
  expect([late.includes('name="password"'), late.includes(again), late.includes('value="ask-delete"')]).toEqual([
    false,
    true,
    false,
  ])
  for (const fields of [
    { intent: 'ask-delete' },
    { intent: 'ask-delete', password: jan.password },
    { intent: 'delete', typed: 'DELETE' },
  ]) {
    const refused = await send(jan, fields, fields.intent === 'delete' ? CONFIRM : HERE)
    expect([fields, refused.status, (await refused.text()).includes(again)]).toEqual([fields, 403, true])
  }
  expect(await statusOf(jan)).toBe('active')

  const auth_at = new Date()
  await world.core.storage.app.updateTable('session').set({ auth_at }).where('member', '=', jan.id).execute()
  expect((await send(jan, { intent: 'ask-delete' })).headers.get('Location')).toBe(CONFIRM)
  expect(await open(CONFIRM, jan)).toContain('All your data will be permanently deleted.')
  expect((await send(jan, { intent: 'delete', typed: 'DELETE' }, CONFIRM)).headers.get('Location')).toBe('/?goodbye')
  await expectForgotten(jan)
})

test('the code of the sign-in is no wrong one: the page says to wait for the next, and the login does not', async () => {
  const kai = await world.member('Kai')
  const app = await turnOn(world.services, kai.id)
  const [code, used] = [app.next(), 'That code was used already. Wait for the next one.']
  const logIn = async (given: string) => {
    const credentials = new URLSearchParams({ email: kai.email, password: kai.password })
    const asked = await world.page('/login', { method: 'POST', body: credentials })
    const headers = { Cookie: asked.headers.getSetCookie()[0]!.split(';')[0]! }
    return world.page('/login/code', { method: 'POST', body: new URLSearchParams({ code: given }), headers })
  }
  expect((await logIn(code)).status).toBe(302)
  const ask = async (given: string) => {
    const answer = await send(kai, { intent: 'ask-delete', password: kai.password, code: given })
    return { status: answer.status, text: await answer.text() }
  }
  const same = await ask(`${code.slice(0, 3)} ${code.slice(3)}`)
  expect([same.status, same.text.includes(used)]).toEqual([403, true])
  const wrong = await ask(app.wrong())
  expect([wrong.text.includes(used), wrong.text.includes('Incorrect code. Please check again.')]).toEqual([false, true])
  const guess = await send(kai, { intent: 'ask-delete', password: 'somebody-elses-77', code })
  expect((await guess.text()).includes(used)).toBe(false)
  const login = await logIn(code)
  const answer = await login.text()
  expect([login.status, answer.includes(used), answer.includes('Incorrect code. Please check again.')]).toEqual([
    403,
    false,
    true,
  ])
  expect((await ask(app.next())).status).toBe(302)
})

test('the call wants the password, or a sign-in of the last 15 minutes', async () => {
  const cat = await world.member('Cat')
  await longAgo(cat)
  const ask = { error: 'Please enter your password.', code: 'reauth', fields: { password: expect.any(String) } }
  const bare = await remove(cat)
  expect([bare.status, await bare.json()]).toEqual([403, ask])
  const wrong = await remove(cat, { password: 'somebody-elses-77' })
  expect([wrong.status, await wrong.json()]).toEqual([403, ask])
  const done = await remove(cat, { password: cat.password })
  expect([done.status, await done.json()]).toEqual([200, { success: true }])
  await expectForgotten(cat)
  const again = await remove(cat)
  expect([again.status, await again.json()]).toEqual([401, { error: 'Login required' }])

  const dan = await world.member('Dan')
  expect((await remove(dan)).status).toBe(200)
  await expectForgotten(dan)
})

test('a wrong password is refused also right after signing in', async () => {
  const eve = await world.member('Eve')
  const wrong = await remove(eve, { password: 'somebody-elses-77' })
  expect([wrong.status, await wrong.json()]).toMatchObject([
    403,
    { error: 'Please enter your password.', code: 'reauth' },
  ])
  expect(await statusOf(eve)).toBe('active')
})

test('a browser keeps nothing of an account that was deactivated in it but that it is known', async () => {
  const eve = await world.member('Eve')
  const left = await send(eve, { intent: 'deactivate', password: eve.password })
  expect(left.headers.get('Location')).toBe('/?deactivated')
  expect(left.headers.get('Clear-Site-Data')).toBe('"cache", "storage"')
  const gone = left.headers.getSetCookie().filter((one) => one.includes('Max-Age=0'))
  expect(gone.map((one) => one.slice(0, one.indexOf('=')))).toEqual(expect.arrayContaining([...ENDED_COOKIES]))
})

test('a deactivated account may be deleted, a suspended one may not by itself', async () => {
  const [fay, gil] = [await world.member('Fay'), await world.member('Gil')]
  await world.account(fay, 'Deactivate')
  await world.account(gil, 'Suspend')
  await world.settled()
  expect((await remove(fay)).status).toBe(200)
  await expectForgotten(fay)
  expect((await remove(gil)).status).toBe(403)
  expect(await statusOf(gil)).toBe('suspended')
})

test('sent twenty times at once, it is done once', async () => {
  const hal = await world.member('Hal')
  const answers = await Promise.all(Array.from({ length: 20 }, () => remove(hal, { password: hal.password })))
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].filter((status) => ![200, 401, 403].includes(status))).toEqual([])
  expect(statuses.has(200)).toBe(true)
  await expectForgotten(hal)
  expect(await world.product.mailbox?.list({ to: hal.email })).toHaveLength(1)
})

test('what fails after the account has ended is no refusal: it is finished by itself', async () => {
  const ida = await world.member('Ida')
  const { media } = world.services
  const works = media.removeAll
  let failed = false
  Object.assign(media, {
    removeAll: (owner: Parameters<typeof works>[0]) => {
      if (failed) return works(owner)
      failed = true
      return Promise.reject(new Error('The disk is away.'))
    },
  })
  expect((await remove(ida)).status).toBe(200)
  Object.assign(media, { removeAll: works })
  expect(failed).toBe(true)
  expect(await statusOf(ida)).toBe('gone')
})
