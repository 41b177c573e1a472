import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENDED_COOKIES } from '../../app/request/cookie.server.ts'
import { PROOF_COOKIE } from '../../app/request/session-cookie.server.ts'
import { ACCOUNT_READY } from '../../app/words/auth-words.ts'
import { eraseAccount } from '../../usecases/identity/erase-account.ts'
import { register } from '../../usecases/register/register.ts'
import { newcomer, PASSWORD } from '../support/newcomers.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
}, 240_000)
afterAll(() => world.stop())

const post = (path: string, fields: Record<string, string>, cookie = '') =>
  world.page(path, { method: 'POST', body: new URLSearchParams(fields), headers: cookie ? { Cookie: cookie } : {} })
const cookieOf = (response: Response, name: string) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))

test('without a verified address the wizard starts at sign-up', async () => {
  for (const path of ['/register', '/register?step=4', '/register/media/abc']) {
    const response = await world.page(path)
    expect([response.status, response.headers.get('Location')]).toEqual([302, '/signup'])
  }
  expect((await post('/register?step=6', { go: 'on' })).headers.get('Location')).toBe('/signup')
  expect((await post('/media-upload', {})).headers.get('Location')).toBe('/signup')
})

test.each(['/signup?other', '/forgot-password?other', '/login?forgot&other'])(
  'a link of another site to %s begins nothing anew',
  async (path) => {
    const ask = (site: string) => world.page(path, { headers: { 'Sec-Fetch-Site': site } })
    for (const site of ['cross-site', 'same-site']) {
      const { status, headers } = await ask(site)
      const to = headers.get('Location') ?? ''
      expect([status, to.includes('other'), headers.getSetCookie()], site).toEqual([302, false, []])
    }
    for (const site of ['same-origin', 'none']) {
      const { status, headers } = await ask(site)
      expect([status, String(headers.getSetCookie()).includes('Max-Age=0')], site).toEqual([302, true])
    }
  },
)

/** Where the wizard leads with a proof: its page and the form of its last step. */
async function ledTo(proof: string): Promise<(string | null)[]> {
  const cookie = `${PROOF_COOKIE}=${proof}`
  const form = await post('/register?step=6', { go: 'on' }, cookie)
  const page = await world.page('/register', { headers: { Cookie: cookie } })
  return [form, page].map(({ headers }) => headers.get('Location'))
}

test('whose registration was done, and its answer lost, is led to the login, which says so', async () => {
  const ada = await newcomer(world)
  const made = await register(world.context, { ...ada, label: 'A test' })
  if (!made.ok) throw new Error(made.reason)
  const login = '/login?ready=&redirectTo=%2Fdiscover%3Fwelcome'
  expect(await ledTo(ada.signupToken)).toEqual([login, login])
  const page = await (await world.page(login)).text()
  expect([page.includes(ACCOUNT_READY), page.includes('Welcome back')]).toEqual([true, false])
  expect(page).toContain('href="/signup?other"')
  const cookie = `${PROOF_COOKIE}=${ada.signupToken}`
  const signup = async (path: string) => (await world.page(path, { headers: { Cookie: cookie } })).headers
  expect((await signup('/signup')).get('Location')).toBe(login)
  const other = await signup('/signup?other')
  expect([other.get('Location'), String(other.getSetCookie()).includes(`${PROOF_COOKIE}=;`)]).toEqual(['/signup', true])
  const tools = { keys: world.core.keys, mailbox: null, actor: 'admin:test' }
  await eraseAccount({ ...world.context, ...tools }, made.value.member)
  expect(await ledTo(ada.signupToken)).toEqual(['/signup', '/signup'])
  expect((await signup('/signup')).get('Location')).toBeNull()
})

test('a proof that has ended without an account is as unknown as any other', async () => {
  const eve = await newcomer(world)
  const { proofs } = world.services
  await proofs.lapse(eve.signupToken)
  const lapsed = await proofs.takeLapsed(new Date())
  for (const { id } of lapsed) await proofs.endLapsed(id)
  expect(lapsed.map(({ id }) => id)).toContain(eve.proof)
  for (const token of [eve.signupToken, 'A'.repeat(43)]) {
    expect(await ledTo(token)).toEqual(['/signup', '/signup'])
    const again = await register(world.context, { ...eve, signupToken: token, label: 'A test' })
    expect(again).toEqual({ ok: false, reason: 'invalid-code' })
  }
})

test('who is signed in has no business at login, sign-up and the wizard', async () => {
  for (const path of ['/login', '/signup', '/register']) {
    expect((await world.page(path, { as: ann })).headers.get('Location')).toBe('/discover')
  }
})

test('login sets a cookie that no script reads, for the browser session or thirty days', async () => {
  const given = { email: ` ${ann.email} `, password: PASSWORD }
  const short = await post('/login', given)
  expect([short.status, short.headers.get('Location')]).toEqual([302, '/'])
  expect(cookieOf(short, '__Host-buzz')).toMatch(/^__Host-buzz=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const long = await post('/login', { ...given, remember: 'yes' })
  expect(cookieOf(long, '__Host-buzz')).toContain('Max-Age=2592000')
})

test('login goes back only to a path of ours', async () => {
  const given = { email: ann.email, password: PASSWORD }
  const targets = { '/chat': '/chat', '//evil.example': '/', 'https://evil.example': '/', '/\\evil.example': '/' }
  for (const [redirectTo, expected] of Object.entries(targets)) {
    expect((await post('/login', { ...given, redirectTo })).headers.get('Location')).toBe(expected)
  }
})

test('who comes with a session that has ended is led to the login, which says so; nobody else is', async () => {
  const ended = '<p>Your session has ended. Log in to go on.</p>'
  const eve = await world.member('Eve')
  const goTo = (cookie: string, headers: Record<string, string> = { Referer: `${world.url}/profile` }) =>
    world.page('/profile/edit', { headers: { ...headers, ...(cookie && { Cookie: cookie }) } })
  await world.services.sessions.revokeAll(eve.id)
  const led = await goTo(eve.cookie)
  expect(led.headers.get('Location')).toBe('/login?ended=&redirectTo=%2Fprofile%2Fedit')
  expect(await (await world.page('/login?ended=&redirectTo=%2Fprofile%2Fedit', { as: eve })).text()).toContain(ended)
  const refused = await post('/login?ended=', { email: eve.email, password: 'no-such-secret' })
  expect((await refused.text()).includes(ended)).toBe(false)
  const saved = await post('/profile/edit', { section: 'about' }, eve.cookie)
  expect(saved.headers.get('Location')).toBe('/login')
  const bare = '/login?redirectTo=%2Fprofile%2Fedit'
  expect((await goTo('')).headers.get('Location')).toBe(bare)
  const login = await world.page(bare)
  expect((await login.text()).includes(ended)).toBe(false)
  expect((await goTo(eve.cookie, {})).headers.get('Location')).toBe('/login')
  const fay = await world.member('Fay')
  await world.account(fay, 'Suspend')
  await world.settled()
  expect((await goTo(fay.cookie)).headers.get('Location')).toBe(bare)
})

test('a refused login says why and keeps the address, never the password', async () => {
  const response = await post('/login', { email: ann.email, password: 'no-such-secret' })
  const page = await response.text()
  expect(response.status).toBe(401)
  expect(page).toContain('Invalid credentials')
  expect(page).toContain(ann.email)
  expect(page).not.toContain('no-such-secret')
})

test('signing out ends the session and clears what the browser keeps, but not that it is known', async () => {
  const bea = await world.member('Bea')
  const flow = '__Host-google:flow-1'
  const headers = { Cookie: `${bea.cookie}; ${flow}=x; __Host-device=known` }
  const response = await world.page('/signout', { method: 'POST', headers })
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/'])
  expect(response.headers.get('Clear-Site-Data')).toBe('"cache", "storage"')
  const gone = response.headers.getSetCookie().filter((cookie) => !cookie.startsWith('__Host-pos='))
  for (const cookie of gone)
    expect(cookie).toMatch(/^__Host-[\w:-]+=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const names = gone.map((cookie) => cookie.slice(0, cookie.indexOf('=')))
  expect(names.sort()).toEqual([...ENDED_COOKIES, flow].sort())
  expect(await world.services.sessions.find(bea.token)).toBeNull()
  expect((await world.page('/signout')).headers.get('Location')).toBe('/')
})

test('the wizard keeps what was typed, says what is wrong, and opens no step before its time', async () => {
  const ada = await newcomer(world)
  const cookie = `__Host-signup=${ada.signupToken}`
  const first = await world.page('/register', { headers: { Cookie: cookie } })
  expect(await first.text()).toContain('About you')
  const far = await world.page('/register?step=6', { headers: { Cookie: cookie } })
  expect(far.headers.get('Location')).toBe('/register?step=1')
  const typed = {
    firstName: 'Ada <3',
    dob: '1990-02-30',
    password: 'a-private-thing',
    confirm: 'another-thing',
    go: 'on',
  }
  const refused = await post('/register?step=1', typed, cookie)
  const page = await refused.text()
  expect(refused.status).toBe(400)
  for (const text of [
    'Ada &lt;3',
    'Invalid date of birth. Please provide a valid date (18+).',
    'Passwords do not match.',
  ])
    expect(page).toContain(text)
  expect(page).not.toContain('a-private-thing')
  const again = await (await world.page('/register?step=1', { headers: { Cookie: cookie } })).text()
  expect(again).toContain('Ada &lt;3')
})

test('what was typed so far is kept before its step is sent, and judged by nobody yet', async () => {
  const ada = await newcomer(world)
  const cookie = `__Host-signup=${ada.signupToken}`
  const kept = await post(
    '/register/draft?step=1',
    { firstName: 'Ada', dob: '2015-01-01', password: 'a-secret' },
    cookie,
  )
  expect(kept.status).toBe(204)
  const page = await (await world.page('/register?step=1', { headers: { Cookie: cookie } })).text()
  for (const text of ['value="Ada"', 'value="2015-01-01"', 'Choose']) expect(page).toContain(text)
  expect(JSON.stringify((await world.services.proofs.find(ada.signupToken))?.draft)).not.toContain('a-secret')
  expect((await post('/register/draft?step=9', {}, cookie)).status).toBe(404)
})

test('someone under eighteen is turned away from the wizard, and their proof is gone', async () => {
  const kim = await newcomer(world)
  const { password, ...fields } = { ...kim.payload, dob: `${new Date().getUTCFullYear() - 17}-01-01` }
  const body = { ...fields, interestedIn: 'male', password, confirm: password, go: 'on' }
  const cookie = `__Host-signup=${kim.signupToken}`
  const response = await post('/register?step=1', body as unknown as Record<string, string>, cookie)
  expect(response.headers.get('Location')).toBe('/signup?refused=age')
  expect(cookieOf(response, '__Host-signup')).toContain('Max-Age=0')
  const page = await (await world.page('/signup?refused=age')).text()
  expect(page).toContain('Invalid date of birth. Please provide a valid date (18+).')
  expect(await world.services.proofs.find(kim.signupToken)).toBeNull()
})

test('an upload before registration shows to its visitor alone', async () => {
  const [ada, eve] = [await newcomer(world), await newcomer(world)]
  const path = ada.payload.photos[0]!.replace('/media/', '/register/media/')
  const open = (token: string) => world.page(path, { headers: { Cookie: `__Host-signup=${token}` } })
  const own = await open(ada.signupToken)
  expect([own.status, own.headers.get('Content-Type')]).toEqual([200, 'image/webp'])
  expect((await own.arrayBuffer()).byteLength).toBeGreaterThan(20)
  expect((await open(eve.signupToken)).status).toBe(404)
})

/** The words on the buttons and links of the page itself, below the bar that all pages have. */
async function labelsOf(path: string): Promise<string[]> {
  const [, main = ''] = (await (await world.page(path)).text()).split('<main')
  return [...main.matchAll(/<(?:a|button)\b[^>]*>(.*?)<\/(?:a|button)>/gs)].map(([, label = '']) =>
    label.replace(/<[^>]*>/g, '').trim(),
  )
}

test('what logs somebody in says Log in: the verb, where the login is the noun', async () => {
  expect(await labelsOf('/login')).toContain('Log in')
  expect(await labelsOf('/signup')).toContain('Log in')
  for (const path of ['/login', '/signup']) expect(await labelsOf(path)).not.toContain('Login')
})
