import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { codeOf } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
})
afterAll(() => world.stop())

const ON_ITS_WAY = 'A code is on its way.'
const LATER = /Too many requests. Please try again in (an hour|\d+ minutes)\./
const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')

/** Sends a form of a page without script; `browser`: its cookies. */
async function post(path: string, fields: Record<string, string>, browser: readonly string[] = []) {
  const headers = { Cookie: browser.join('; ') }
  const answer = await world.page(path, { method: 'POST', body: new URLSearchParams(fields), headers })
  const page = (await answer.text()).replaceAll('<!-- -->', '')
  const cookies = cookiesOf(answer).filter((cookie) => /^__Host-(code|reset)=/.test(cookie))
  return { status: answer.status, page, hasCodeField: page.includes('name="code"'), cookies }
}
const signUp = (email: string, browser?: readonly string[]) => post('/signup', { intent: 'send', email }, browser)
const forgot = (email: string, browser?: readonly string[]) =>
  post('/forgot-password', { intent: 'request', email }, browser)

/** As after twenty mails of this connection (api-contract §6.2, SEND). */
async function whileUsedUp<T>(act: () => Promise<T>): Promise<T> {
  const { limits } = world.services
  await limits.take('SEND_IP', '127.0.0.1', RATES.SEND_IP.windows[0].points)
  return act().finally(() => limits.reset('SEND_IP', '127.0.0.1'))
}

test('a connection whose mails are used up is told to wait, beside the address, and of no code', async () => {
  const email = 'fresh@example.com'
  for (const ask of [signUp, forgot]) {
    const { status, page, hasCodeField, cookies } = await whileUsedUp(() => ask(email))
    expect([status, hasCodeField, cookies]).toEqual([429, false, []])
    expect(page).toMatch(LATER)
    for (const claim of [ON_ITS_WAY, 'Check your mail', 'Sent to']) expect(page).not.toContain(claim)
    expect(page).toContain(`value="${email}"`)
  }
  expect(await world.mail(email)).toBeNull()
})

test.each([
  ['to sign up', signUp, 'holds@example.com'],
  ['for a new password', forgot, 'keeps@example.com'],
])(
  'the browser that a code was sent from keeps its field when another one is refused, %s',
  async (_what, ask, email) => {
    const sent = await ask(email)
    expect([sent.status, sent.hasCodeField, sent.cookies.length]).toEqual([200, true, 1])
    const { status, page, hasCodeField } = await whileUsedUp(() => ask(email, sent.cookies))
    expect([status, hasCodeField]).toEqual([429, true])
    expect(page).toMatch(LATER)
    expect(page).not.toContain(ON_ITS_WAY)
    const other = await whileUsedUp(() => ask('another@example.com', sent.cookies))
    expect([other.status, other.hasCodeField]).toEqual([429, false])
    expect(other.page).toContain('value="another@example.com"')
  },
)

test.each([
  ['to sign up', signUp, 'wide@example.com'],
  ['for a new password', forgot, 'broad@example.com'],
])('blanks around an address are not kept, %s', async (_what, ask, email) => {
  const { status, cookies } = await ask(`${' '.repeat(20_000)}${email} `)
  expect([status, cookies.length]).toEqual([200, 1])
  expect(cookies[0]!.length).toBeLessThan(1_000)
})

test('the page of a forgotten password answers, keeps and shows the same with an account and without', async () => {
  const { email } = await world.member('Cam')
  const pages = []
  for (const address of [email, 'x'.repeat(email.indexOf('@')) + email.slice(email.indexOf('@'))]) {
    const asked = await forgot(address)
    const [name, value = ''] = asked.cookies[0]?.split('=') ?? []
    const again = await world.page('/forgot-password', { headers: { Cookie: asked.cookies.join('; ') } })
    const shown = (await again.text()).replaceAll('<!-- -->', '')
    expect(shown, 'a reload stays at the code').toContain(`Sent to ${address}. It works for 10 minutes.`)
    const sent = { ...asked, page: asked.page.includes('Verification code sent to your email. Check Inbox or Spam') }
    pages.push({ ...sent, cookies: [name, value.length] })
  }
  expect(pages[0]).toMatchObject({
    status: 200,
    page: true,
    hasCodeField: true,
    cookies: ['__Host-reset', expect.any(Number)],
  })
  expect(pages[1]).toEqual(pages[0])
})

test('a code of each purpose can be asked for right after one of the other', async () => {
  const { email } = await world.member('Ann')
  for (const [address, first, second] of [
    ['new@example.com', forgot, signUp],
    [email, signUp, forgot],
  ] as const) {
    expect((await first(address)).status).toBe(200)
    expect(await second(address)).toMatchObject({ status: 200, hasCodeField: true })
  }
})

test('whoever asks twice for a code keeps its field and its address, with an account or without', async () => {
  const { email } = await world.member('Bea')
  for (const [ask, address] of [
    [signUp, 'twice@example.com'],
    [forgot, 'nobody@example.com'],
    [forgot, email],
  ] as const) {
    expect(await ask(address)).toMatchObject({ status: 200, hasCodeField: true })
    const { status, page, hasCodeField } = await ask(address)
    expect([status, hasCodeField]).toEqual([429, true])
    expect(page).toContain(ON_ITS_WAY)
    expect(page).toMatch(new RegExp(`name="email" value="${address}"`))
  }
  const fields = { newPassword: 'granite-willow-44-sail', confirm: 'granite-willow-44-sail' }
  const reset = await post('/forgot-password', { intent: 'reset', email, code: await codeOf(world, email), ...fields })
  expect(reset).toMatchObject({ status: 200 })
})

test('a code that was tried too often is worded by the spec, and the page says what helps', async () => {
  const email = 'used@example.com'
  await signUp(email)
  const right = await codeOf(world, email)
  const give = (code: string) => post('/signup', { intent: 'verify', email, code })
  for (let tries = 0; tries < 5; tries++) await give(right === '111111' ? '222222' : '111111')
  const { status, page, hasCodeField } = await give(right)
  expect([status, hasCodeField]).toEqual([400, true])
  expect(page).toContain('Invalid or expired code. Ask for a new one below.')
})
