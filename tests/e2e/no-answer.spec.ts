import type { Page } from 'playwright'
import { expect, test } from './fixture.ts'

const USHUAIA = { lat: -54.8, lng: -68.3 }
const NETWORK = 'Network error. Please check your connection.'
const BROKEN = { status: 200, contentType: 'text/html', body: '<!doctype html><p>Sign in to this Wi-Fi</p>' }

/** Lets no form of the page through: its request ends without an answer, or with one of somebody else. */
const cut = (page: Page, how: 'lost' | 'foreign') =>
  page.route(/\.data(\?|$)/, (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    return how === 'lost' ? route.abort('connectionreset') : route.fulfill(BROKEN)
  })

test('a report that cannot be sent for want of network stays as it was typed, and is sent once it is back', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true, refusals: true, ahead: true })
  await page.goto(`/report/${bea.id}`)
  const words = page.getByRole('textbox').first()
  await words.fill('She asked for money')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText(NETWORK).first()).toBeVisible()
  await expect(words).toHaveValue('She asked for money')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText(/Thank you|Thanks/).first()).toBeVisible()
})

for (const how of ['lost', 'foreign'] as const) {
  const sentence = how === 'lost' ? NETWORK : 'Something went wrong. Please try again in a moment.'

  test(`a section of the profile keeps what was typed when its answer is ${how}`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Cid'), phone: true, refusals: true })
    await page.goto('/profile/edit?section=place')
    await page.getByLabel('City').fill('Porto')
    await cut(page, how)
    const save = page.getByRole('button', { name: 'Save where you live' })
    await save.click()
    await expect(page.getByText(sentence).first()).toBeVisible()
    await expect(page.getByLabel('City')).toHaveValue('Porto')
    await page.unroute(/\.data(\?|$)/)
    await save.click()
    await expect(page.getByText(sentence)).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /^Where you live/ })).toContainText('Porto')
  })
}

test('without network a section keeps what was typed, and so does the one beside it', async ({ world, open }) => {
  const page = await open({ as: await world.member('Hal'), phone: true, refusals: true })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Walks at night')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /^Where you live/ }).click()
  await page.getByLabel('City').fill('Porto')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save where you live' }).click()
  await expect(page.getByText(NETWORK).first()).toBeVisible()
  await expect(page.getByText('needs another look')).toHaveCount(0)
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Save where you live' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(NETWORK)).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Where you live/ })).toContainText('Porto')
  await page.getByRole('link', { name: /^About you/ }).click()
  await expect(page.getByLabel('Bio')).toHaveValue('Walks at night')
})

test('a section that could not be sent says so in its sheet alone, and is sent again from there', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Kim'), phone: true, refusals: true })
  await page.goto('/profile/edit?section=place')
  await page.getByLabel('City').fill('Porto')
  await cut(page, 'lost')
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Save where you live' }).click()
  const retry = sheet.getByRole('alert').getByRole('button', { name: 'Retry' })
  await expect(retry).toBeVisible()
  await expect(page.getByText(NETWORK)).toHaveCount(1)
  await retry.click()
  await expect(retry).toHaveCount(1)
  await page.unroute(/\.data(\?|$)/)
  await retry.click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  await expect(page.getByText(NETWORK)).toHaveCount(0)
})

for (const [path, button] of [
  ['report', 'Send report'],
  ['unmatch', 'Unmatch'],
] as const)
  test(`/${path} says once that it was not answered, with Retry beside it`, async ({ world, open }) => {
    const [ned, ola] = [await world.member('Ned'), await world.member('Ola')]
    await world.match(ned, ola)
    await world.settled()
    const page = await open({ as: ned, phone: true, refusals: true })
    await page.goto(`/${path}/${ola.id}`)
    await cut(page, 'lost')
    await page.getByRole('button', { name: button }).click()
    await expect(page.locator('main').getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByText(NETWORK)).toHaveCount(1)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByText(NETWORK)).toHaveCount(0)
  })

test('a form with no room for words says in a toast that it was not answered, and offers Retry there', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Pia'), refusals: true })
  await page.goto('/notifications')
  await cut(page, 'lost')
  await page.getByRole('banner').getByRole('button', { name: 'Signout' }).click()
  await expect(page.getByText('Network error. You are still signed in.')).toHaveCount(1)
  await page.unroute(/\.data(\?|$)/)
  await page.locator('.toast').getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})

test('a first failure without network has its icon', async ({ open }) => {
  const page = await open({ phone: true, refusals: true })
  await page.goto('/signup')
  const sprites = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /icons-.*\.svg/.test(name)).length,
    )
  await expect.poll(sprites).toBe(1)
  await page.context().setOffline(true)
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  const drawn = page.locator('.banner-alarm .icon use')
  await expect.poll(() => drawn.evaluate((use: SVGUseElement) => use.getBBox().width)).toBeGreaterThan(0)
  expect(await sprites()).toBe(1)
})

test('a page that is read again without an answer stays, with what is typed on it, and is read once it can be', async ({
  world,
  open,
}) => {
  const [ida, jon] = [await world.member('Ida'), await world.member('Jon')]
  await world.match(ida, jon)
  await world.settled()
  const page = await open({ as: ida, phone: true, refusals: true })
  await page.goto(`/chat/${jon.id}`)
  await page.getByLabel('Message to Jon').fill('A long letter')
  await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('.data'))
  await world.sendMessage(jon, ida, 'Are you there?')
  await failed
  await expect(page.getByLabel('Message to Jon')).toHaveValue('A long letter')
  await expect(page.getByRole('heading', { name: 'No connection' })).toHaveCount(0)
  await page.unroute(/\.data(\?|$)/)
  await page.waitForResponse((response) => response.url().includes('.data') && response.ok())
  await expect(page.getByLabel('Message to Jon')).toHaveValue('A long letter')
  await expect(page.getByRole('log')).toContainText('Are you there?')
})

test('a skip whose answer is lost says so once, and the card comes back', async ({ world, open }) => {
  const [dan] = [await world.member('Dan', { location: USHUAIA }), await world.member('Eve', { location: USHUAIA })]
  await world.settled()
  const page = await open({ as: dan, phone: true, refusals: true })
  await page.goto('/discover')
  await expect(page.getByRole('button', { name: 'Skip Eve' })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Skip Eve' }).click()
  await expect(page.getByText(NETWORK)).toHaveCount(1)
  await expect(page.getByRole('article', { name: /Eve/ }).first()).toBeVisible()
})

test('a log-in without network keeps both fields, and says what the network did', async ({ world, open }) => {
  const fay = await world.member('Fay')
  const page = await open({ refusals: true })
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(fay.email)
  await page.getByLabel('Password', { exact: true }).fill(fay.password)
  for (const [how, sentence] of [
    ['lost', 'Network error, please try again'],
    ['foreign', 'Server returned non-JSON response'],
  ] as const) {
    await cut(page, how)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByText(sentence).first()).toBeVisible()
    await page.unroute(/\.data(\?|$)/)
  }
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(fay.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('a read that is lost while the sheets of its page are on their way is no error of the console', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Hal'), refusals: true })
  await page.goto('/profile')
  // Remix waits for the sheets of a page whose script it has.
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await page.getByRole('link', { name: 'Back to profile' }).click()
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  let letSheetsCome = () => {}
  const sheets = new Promise<void>((resolve) => {
    letSheetsCome = resolve
  })
  await page.route('**/*.css', (route) => sheets.then(() => route.continue()))
  await page.route('**/profile/edit.data*', (route) => route.abort())
  const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('.data'))
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await lost
  letSheetsCome()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  expect(errors).toEqual([])
})

test('a page that cannot be loaded for want of network says that, and loads by itself once it is back', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Gil'), refusals: true })
  await page.goto('/profile/edit')
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click()
  await page.waitForURL('**/profile')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.getByText('500')).toHaveCount(0)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'Edit profile' })).toBeVisible()
})
