import type { Page } from 'playwright'
import { PROOF_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { expect, hostCookie, test } from '../fixture.ts'
import { registering } from '../pages/cast.ts'

const NETWORK = 'Network error. Please check your connection.'
const LONGYEARBYEN = { lat: 78.22, lng: 15.65 }
const DATA = /\.data(\?|$)/

type Fault = 'lost' | 'bad gateway' | 'without a reply'
/** Of what a page sends: no answer, a gateway's, or one that can be read and holds neither a reply nor where to go. */
const cut = (page: Page, fault: Fault) =>
  page.route(DATA, (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    if (fault === 'lost') return route.abort('connectionreset')
    if (fault === 'bad gateway') return route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad gateway' })
    return route.fulfill({ contentType: 'text/x-script', body: '[{"_1":-5},"data"]\n' })
  })

test('a log-in whose answer has no reply is malformed, and keeps both fields', async ({ world, open }) => {
  const ann = await world.member('Ann')
  const page = await open({ refusals: true })
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await cut(page, 'without a reply')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Malformed server response').first()).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(ann.password)
  await page.unroute(DATA)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

for (const [what, path, button, sentences] of [
  [
    'a forgotten password',
    '/forgot-password',
    'Send code',
    { lost: NETWORK, 'bad gateway': 'Failed to send reset email' },
  ],
  [
    'a sign-up',
    '/signup',
    'Send code',
    { lost: 'Error sending verification code.', 'bad gateway': 'Failed to send code.' },
  ],
] as const)
  test(`${what} that is not answered says so in its words, and keeps the address`, async ({ open }) => {
    const page = await open({ phone: true, refusals: true })
    await page.goto(path)
    const email = page.getByLabel('E-mail')
    await email.fill('typed@example.com')
    for (const [fault, sentence] of Object.entries(sentences)) {
      await cut(page, fault as Fault)
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByText(sentence).first(), fault).toBeVisible()
      await expect(email).toHaveValue('typed@example.com')
      await page.unroute(DATA)
    }
  })

for (const fault of ['lost', 'bad gateway'] as const)
  test(`${fault}: a registration that is not answered says so in its words, and is sent once it can be`, async ({
    world,
    open,
  }) => {
    const page = await open({ phone: true, refusals: true })
    await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
    await page.goto('/register?step=6')
    await cut(page, fault)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Registration failed. Please try again.').first()).toBeVisible()
    await page.unroute(DATA)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL('**/discover?welcome')
  })

test('a way back in the wizard that is not answered is no failed registration', async ({ world, open }) => {
  const page = await open({ phone: true, refusals: true })
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  await page.goto('/register?step=6')
  await cut(page, 'lost')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByText(NETWORK).first()).toBeVisible()
})

test('a buzz on a profile that is not answered says so there, and is sent once it can be', async ({ world, open }) => {
  const [bea, cid] = [await world.member('Bea'), await world.member('Cid')]
  await world.buzz(cid, bea)
  await world.settled()
  const page = await open({ as: bea, phone: true, refusals: true })
  await page.goto(`/viewProfile/${cid.id}`)
  const buzz = page.getByRole('button', { name: /Buzz/ }).first()
  for (const [fault, sentence] of [
    ['bad gateway', 'Could not buzz right now.'],
    ['lost', 'Something went wrong.'],
  ] as const) {
    await cut(page, fault)
    await buzz.click()
    await expect(page.getByRole('alert').getByText(sentence, { exact: false }), fault).toBeVisible()
    await page.unroute(DATA)
  }
  await buzz.click()
  await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
})

test('a match back on the notifications that is not answered says so', async ({ world, open }) => {
  const [dot, eli] = [await world.member('Dot'), await world.member('Eli')]
  await world.buzz(eli, dot)
  await world.settled()
  const page = await open({ as: dot, phone: true, refusals: true })
  await page.goto('/notifications')
  for (const [fault, sentence] of [
    ['bad gateway', 'Could not accept match right now.'],
    ['lost', NETWORK],
  ] as const) {
    await cut(page, fault)
    await page.getByRole('button', { name: 'Match Back with Eli' }).click()
    await expect(page.getByText(sentence).first(), fault).toBeVisible()
    await page.unroute(DATA)
  }
})

for (const [fault, sentence, who] of [
  ['bad gateway', 'Could not buzz right now.', 'Gil'],
  ['lost', 'Something went wrong.', 'Hal'],
] as const)
  test(`${fault}: a buzz on the deck that is not answered says so once, and the card comes back`, async ({
    world,
    open,
  }) => {
    const place = { ...LONGYEARBYEN, lat: LONGYEARBYEN.lat - (fault === 'lost' ? 40 : 0) }
    const [fay] = [await world.member('Fay', { location: place }), await world.member(who, { location: place })]
    await world.settled()
    const page = await open({ as: fay, phone: true, refusals: true })
    await page.goto('/discover')
    const buzz = page.getByRole('button', { name: `Buzz ${who}` })
    await expect(buzz).toBeVisible()
    await cut(page, fault)
    await buzz.click()
    await expect(page.getByText(sentence)).toHaveCount(1)
    await expect(page.getByRole('article', { name: new RegExp(who) }).first()).toBeVisible()
    await page.unroute(DATA)
    const sent = page.waitForResponse((answer) => answer.request().method() === 'POST' && DATA.test(answer.url()))
    // By key: a second click so soon is the rest of a double one.
    await buzz.press('Enter')
    expect((await sent).status()).toBe(200)
    await expect(page.getByText(`You buzzed ${who}.`)).toBeAttached()
    await expect(page.getByRole('article', { name: new RegExp(who) })).toHaveCount(0)
  })
