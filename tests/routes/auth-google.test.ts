import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDraft } from '../../usecases/register/draft.ts'
import { codeOf, newcomer, twoPhotos } from '../support/newcomers.ts'
import { turnOn } from '../support/outside/authenticator.ts'
import { type Claims, type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../support/outside/google.ts'
import { cookiesOf, leadsTo, memberOfGoogle, visitGoogle, type Way } from '../support/outside/google-visit.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
let fake: FakeGoogle
beforeAll(async () => {
  fake = await startGoogle()
  world = await startWorld({ config: { google: GOOGLE_CLIENT } })
}, 300_000)
afterAll(async () => {
  await world?.stop()
  fake?.stop()
})

async function call(path: string, body: object, token?: string) {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) }
  const response = await world.api(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, json: await response.json() }
}
const google = async (claims: Claims) => call('/auth/google', { token: await fake.idToken(claims) })

const ANSWERS = {
  firstName: 'Gil',
  lastName: 'Ogle',
  gender: 'Other',
  dob: '1993-03-03',
  lookingFor: 'friends',
  interestedIn: ['other'],
  interests: ['Music'],
}

const visit = (claims: Claims, way?: Way) => visitGoogle(world, fake, claims, way)

test('a newcomer of Google may only finish the registration, and signs in with Google from then on', async () => {
  const claims = { sub: 'gil', email: 'Gil@example.com' }
  const { status, json } = await google(claims)
  expect([status, json]).toEqual([
    200,
    {
      token: expect.any(String),
      user: { id: expect.any(String), email: 'Gil@example.com', status: 'onboarding' },
      isNew: true,
    },
  ])
  const onboarding = { error: 'Please complete your registration.', code: 'onboarding' }
  const self = await world.api('/auth/me', { headers: { Authorization: `Bearer ${json.token}` } })
  expect([self.status, await self.json()]).toEqual([200, { user: json.user }])
  const bare = await world.api('/users/me', { headers: { Authorization: `Bearer ${json.token}` } })
  expect([bare.status, await bare.json()]).toEqual([200, json.user])
  for (const path of ['/discover', '/matches']) {
    const refused = await world.api(path, { headers: { Authorization: `Bearer ${json.token}` } })
    expect([path, refused.status, await refused.json()]).toEqual([path, 403, onboarding])
  }
  const edit = { firstName: 'Gil', interests: ['Music'], bio: 'No question of the wizard', dob: '2020-01-01' }
  const headers = { Authorization: `Bearer ${json.token}` }
  const put = (body: object) => world.api('/users/me', { method: 'PUT', headers, body: JSON.stringify(body) })
  const edited = await put(edit)
  expect([edited.status, await edited.json()]).toEqual([200, { user: json.user }])
  expect((await put({ preferences: { ageRange: [30, 40], distanceMiles: 20 } })).status).toBe(200)
  expect((await put({ firstName: 7 })).status).toBe(400)
  expect(await world.core.log.read(`member-${json.user.id}`)).toEqual([])
  const { steps } = openDraft((await world.services.proofs.find(json.token))?.draft)
  expect(steps).toMatchObject({
    basics: { firstName: 'Gil', dob: '' },
    interests: { interests: ['Music'] },
    preferences: { ageMin: '30', ageMax: '40', distanceMiles: '20' },
  })
  expect(steps.photos).toBeUndefined()
  const photos = await twoPhotos(world, (await world.services.proofs.find(json.token))!.id)
  const minor = await call('/auth/register-full', { ...ANSWERS, photos, dob: 'never' }, json.token)
  expect(minor.status).toBe(400)
  const made = await call('/auth/register-full', { ...ANSWERS, photos }, json.token)
  expect([made.status, made.json.user]).toMatchObject([
    200,
    { id: json.user.id, email: 'Gil@example.com', status: 'active' },
  ])
  const again = await google({ ...claims, email: 'gil@elsewhere.example' })
  expect(again.json).toMatchObject({ user: { id: json.user.id, email: 'Gil@example.com' } })
  expect(again.json).not.toHaveProperty('isNew')
  const me = await world.api('/auth/me', { headers: { Authorization: `Bearer ${again.json.token}` } })
  expect(me.status).toBe(200)
  for (const password of ['', 'a guess', 'null'])
    expect((await call('/auth/login', { email: 'gil@example.com', password })).json.token).toBeUndefined()
})

test('an address that has a password is never taken over', async () => {
  const ann = await world.member('Ann')
  const refused = await google({ sub: 'somebody', email: ann.email.toUpperCase() })
  expect(refused).toEqual({ status: 409, json: { error: 'Please login with your password.' } })
  expect(await world.services.credentials.findByMember(ann.id)).toMatchObject({ passwordHash: expect.any(String) })
})

test('a member with a second factor is asked for its code, by call and on the page', async () => {
  const { person: pia, claims } = await memberOfGoogle(world, fake, 'Pia')
  const app = await turnOn(world.services, pia.id)
  const asked = await google(claims)
  const wanted = { error: 'Enter your code.', code: 'second_factor', challenge: expect.any(String) }
  expect(asked).toEqual({ status: 403, json: wanted })
  const given = await call('/auth/second-factor', { challenge: asked.json.challenge, code: app.next() })
  expect(given).toMatchObject({ status: 200, json: { user: { id: pia.id } } })

  const back = await (await visit(claims, { redirectTo: '/chat' })).finish()
  expect([back.status, await leadsTo(back)]).toEqual([200, '/login/code?redirectTo=%2Fchat'])
  const cookies = cookiesOf(back)
  expect(cookies.filter((cookie) => cookie.startsWith('__Host-buzz='))).toEqual([])
  const done = await world.page('/login/code?redirectTo=/chat', {
    method: 'POST',
    headers: { Cookie: cookies.find((cookie) => cookie.startsWith('__Host-challenge='))! },
    body: new URLSearchParams({ code: app.next() }),
  })
  expect([done.status, done.headers.get('Location')]).toEqual([302, '/chat'])
  expect(cookiesOf(done).find((cookie) => cookie.startsWith('__Host-buzz='))).toMatch(/^__Host-buzz=[\w-]{43}$/)
})

test('a token that Google did not give, and none, are refused', async () => {
  const claims = { sub: 'eve', email: 'eve@example.com' }
  const failed = { status: 401, json: { error: 'Google login failed' } }
  expect(await call('/auth/google', { token: await fake.forged(claims) })).toEqual(failed)
  expect(await google({ ...claims, email_verified: false })).toEqual(failed)
  for (const body of [{}, { token: '' }])
    expect(await call('/auth/google', body)).toMatchObject({
      status: 400,
      json: { error: 'Missing Google credential' },
    })
})

test('the button leads to Google, which the policy of the page lets the form do', async () => {
  for (const [path, words] of [
    ['/login', 'Continue with Google'],
    ['/signup', 'Sign up with Google'],
  ] as const) {
    const page = await world.page(path)
    expect(await page.text()).toContain(words)
    expect(page.headers.get('Content-Security-Policy')).toContain("form-action 'self' https://accounts.google.com;")
  }
  const { start, to } = await visit({ sub: 'hal', email: 'hal@example.com' })
  expect([start.status, to.origin, to.pathname]).toEqual([302, 'https://accounts.google.com', '/o/oauth2/v2/auth'])
  expect(Object.fromEntries(to.searchParams)).toMatchObject({
    client_id: GOOGLE_CLIENT.clientId,
    redirect_uri: `${world.url}/auth/google/callback`,
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
    nonce: expect.any(String),
    state: expect.any(String),
  })
  for (const cookie of start.headers.getSetCookie()) {
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(flag)
  }
})

test('flows that nobody finished do not fill the browser with cookies', async () => {
  const begun = Array.from({ length: 5 }, (_, n) => `__Host-google:flow-${n}=x`)
  const start = (cookies: readonly string[]) =>
    world.page('/auth/google', { method: 'POST', body: new URLSearchParams(), headers: { Cookie: cookies.join('; ') } })
  const removed = (answer: Response) =>
    answer.headers.getSetCookie().filter((cookie) => cookie.includes('=; Max-Age=0'))
  expect(removed(await start(begun.slice(1)))).toEqual([])
  expect(removed(await start(begun))).toHaveLength(5)
})

test('back from Google a newcomer goes to the wizard and a member into the product, without a cookie too many', async () => {
  const claims = { sub: 'ida', email: 'ida@example.com' }
  const first = await (await visit(claims)).finish()
  expect([first.status, await leadsTo(first)]).toEqual([200, '/register'])
  const proof = cookiesOf(first).find((cookie) => cookie.startsWith('__Host-signup='))!
  const wizard = await (await world.page('/register', { headers: { Cookie: proof } })).text()
  expect(wizard).toContain('You sign in with Google.')
  const token = proof.slice('__Host-signup='.length)
  const photos = await twoPhotos(world, (await world.services.proofs.find(token))!.id)
  expect((await call('/auth/register-full', { ...ANSWERS, photos, signupToken: token })).status).toBe(200)

  const second = await (await visit(claims)).finish()
  expect([second.status, await leadsTo(second)]).toEqual([200, '/'])
  const set = second.headers.getSetCookie()
  expect(set.find((cookie) => cookie.startsWith('__Host-buzz='))).toMatch(/^__Host-buzz=[\w-]{43}; .*HttpOnly/)
  const left = set.filter((cookie) => /^__Host-(google:|from=)/.test(cookie))
  expect(left).toHaveLength(2)
  for (const cookie of left) expect(cookie).toContain('Max-Age=0')
})

test('a state, code or nonce of somebody else leads back with a reason and signs nobody in', async () => {
  const claims = { sub: 'jon', email: 'jon@example.com' }
  const way = await visit(claims)
  const other = await visit({ sub: 'mallory', email: 'mallory@example.com' })
  const refused = {
    foreignState: await way.back(`state=${other.state}&code=${way.code}`),
    noCookie: await way.back(`state=${way.state}&code=${way.code}`, { Cookie: '' }),
    noState: await way.back(`code=${way.code}`),
    deniedThere: await way.back(`state=${way.state}&error=access_denied`),
    unknownCode: await way.back(`state=${way.state}&code=made-up`),
    otherNonce: await (await visit(claims, { nonce: 'of-another-flow' })).finish(),
  }
  for (const [name, response] of Object.entries(refused)) {
    expect([name, response.status, await leadsTo(response)]).toEqual([name, 200, '/login?google=google-failed'])
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(cookiesOf(response).filter((cookie) => /^__Host-(buzz|signup)=/.test(cookie))).toEqual([])
  }
  const page = await (await world.page('/login?google=google-failed')).text()
  expect(page).toContain('Google login failed')
  const signUp = await (await visit(claims, { from: 'signup', nonce: 'x' })).finish()
  expect(await leadsTo(signUp)).toBe('/signup?google=google-failed')
  expect(await (await world.page('/signup?google=google-failed')).text()).toContain(
    'Google signup failed. Please try again.',
  )
})

test('an account without a password gets its first one by mail', async () => {
  const claims = { sub: 'kay', email: 'kay@example.com' }
  const { json } = await google(claims)
  const photos = await twoPhotos(world, (await world.services.proofs.find(json.token))!.id)
  await call('/auth/register-full', { ...ANSWERS, photos }, json.token)
  expect((await call('/auth/forgot-password', { email: claims.email })).status).toBe(200)
  const code = await until('the mail is there', async () => {
    const found = await codeOf(world, claims.email)
    return found === 'no code' ? null : found
  })
  const newPassword = 'copper-meadow-77-train'
  expect((await call('/auth/reset-password', { email: claims.email, code, newPassword })).status).toBe(200)
  expect((await call('/auth/login', { email: claims.email, password: newPassword })).status).toBe(200)
  expect((await google(claims)).json.user.id).toBe(json.user.id)
})

test('back from Google one comes to the page that asked for the sign-in, and to no other site', async () => {
  const claims = { sub: 'lou', email: 'lou@example.com' }
  const { json } = await google(claims)
  const photos = await twoPhotos(world, (await world.services.proofs.find(json.token))!.id)
  await call('/auth/register-full', { ...ANSWERS, photos }, json.token)
  const page = await (await world.page('/login?redirectTo=%2Fchat%3Fq%3Da%3Bb')).text()
  const form = page.slice(page.indexOf('action="/auth/google"'))
  expect(form.slice(0, form.indexOf('</form>'))).toContain('name="redirectTo" value="/chat?q=a;b"')
  for (const [redirectTo, led] of [
    ['/chat?q=a;b&r="#newest', '/chat?q=a;b&r=%22#newest'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    [`/chat?q=${'x'.repeat(5_000)}`, '/'],
  ] as const) {
    const back = await (await visit(claims, { redirectTo })).finish()
    expect([redirectTo, await leadsTo(back)]).toEqual([redirectTo, led])
  }
  const refused = await (await visit(claims, { redirectTo: '/chat?q=a;b', nonce: 'of-another-flow' })).finish()
  expect(await leadsTo(refused)).toBe('/login?google=google-failed&redirectTo=%2Fchat%3Fq%3Da%3Bb')
})

test('who logs out before the registration is finished may not go on with it', async () => {
  const withGoogle = (await google({ sub: 'ivy', email: 'ivy@example.com' })).json.token
  const { signupToken: withCode, payload } = await newcomer(world)
  const photos = await twoPhotos(world, (await world.services.proofs.find(withGoogle))!.id)
  for (const [token, answers] of [
    [withGoogle, { ...ANSWERS, photos }],
    [withCode, payload],
  ] as const) {
    expect(await call('/auth/logout', {}, token)).toEqual({ status: 200, json: { success: true } })
    const me = await world.api('/auth/me', { headers: { Authorization: `Bearer ${token}` } })
    expect([me.status, (await call('/auth/register-full', answers, token)).status]).toEqual([401, 401])
  }
})

test('signing out of the pages ends a registration that is not finished', async () => {
  const { signupToken, payload } = await newcomer(world)
  const left = await world.page('/signout', { method: 'POST', headers: { Cookie: `__Host-signup=${signupToken}` } })
  expect(cookiesOf(left)).toContain('__Host-signup=')
  expect((await call('/auth/register-full', { ...payload, signupToken })).status).toBe(401)
})

test('a newcomer answers by the rules of the wizard, and shows pictures of their own alone', async () => {
  const { token } = (await google({ sub: 'max', email: 'max@example.com' })).json
  const headers = { Authorization: `Bearer ${token}` }
  const put = async (body: object) => {
    const answer = await world.api('/users/me', { method: 'PUT', headers, body: JSON.stringify(body) })
    return { status: answer.status, json: await answer.json() }
  }
  const draft = async () => openDraft((await world.services.proofs.find(token))?.draft).steps
  const [own = ''] = await twoPhotos(world, (await world.services.proofs.find(token))!.id)
  const [foreign = ''] = await twoPhotos(world, (await newcomer(world)).proof)
  for (const avatar of ['https://evil.example/x.png', foreign, `/media/${'0'.repeat(24)}`, ''])
    expect([avatar, await put({ avatar })]).toEqual([avatar, { status: 400, json: { error: 'Invalid media' } }])
  const interests = 'Please choose 1 to 5 interests.'
  for (const [body, fields] of [
    [{ interests: ['Custom thing'] }, { interests }],
    [{ interests: [], firstName: 'Max' }, { interests }],
    [{ visibilityMode: '' }, { visibilityMode: 'Please choose who sees you.' }],
  ] as const)
    expect(await put(body)).toEqual({ status: 400, json: { error: 'Could not update profile', fields } })
  expect(await draft()).toEqual({})
  expect((await put({ avatar: `${world.url}${own}` })).status).toBe(200)
  expect(await draft()).toEqual({ photos: { step: 'photos', avatar: own, order: [] } })
})
