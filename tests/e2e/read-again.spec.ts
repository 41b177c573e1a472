import type { Page, Route } from 'playwright'
import { expect, test } from './fixture.ts'
import { loadedAhead } from './pages/loaded-ahead.ts'

const SHEET = /\.css$/
const DATA = /\.data(\?|$)/
const BAD_GATEWAY = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }
const WIFI = { status: 200, contentType: 'text/html', body: '<!doctype html><p>Sign in to this Wi-Fi</p>' }

/** What is read of pages gets this answer; what is sent goes through. */
const readsGet = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(DATA, (route) => (route.request().method() === 'GET' ? answer(route) : route.continue()))
const tab = (page: Page, name: string) => page.locator('.nav-bottom').getByRole('link', { name }).click()
/** The page's stylesheets that did not come. */
const bare = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
      .filter(({ sheet }) => !sheet)
      .map(({ href }) => href),
  )
const noConnection = (page: Page) => page.getByRole('heading', { name: 'No connection' })

test('what is typed beside a section that was saved stays when the page is read again and gets no page', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  const page = await open({ as: await world.member('Ann'), phone: true, refusals: true })
  for (const [what, answer] of [
    ['a bad gateway', BAD_GATEWAY],
    ['an empty 503 of a product that starts', { status: 503 }],
    ['the page of a network that asks to sign in', WIFI],
  ] as const)
    await test.step(what, async () => {
      const typed = `Ten careful minutes about ${what}`
      await page.goto('/profile/edit?section=about')
      await page.getByLabel('Bio').fill(typed)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: /^Where you live/ }).click()
      await page.getByLabel('City').fill(`Porto of ${what}`)
      await readsGet(page, (route) => route.fulfill(answer))
      const read = page.waitForResponse(
        (response) => DATA.test(response.url()) && response.request().method() === 'GET',
      )
      await page.getByRole('button', { name: 'Save where you live' }).click()
      await read
      await page.unroute(DATA)
      await expect(page.getByText('Profile updated ✅')).toBeVisible()
      await page.getByRole('link', { name: /^About you/ }).click()
      await expect(page.getByLabel('Bio')).toHaveValue(typed)
    })
})

test('a page that was opened without network has its looks once the network is back', async ({ world, open }) => {
  const page = await open({ as: await world.member('Flo'), phone: true, refusals: true, ahead: true })
  await page.goto('/discover')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await loadedAhead(page, 'routes/notifications', 'routes/chat')
  for (const name of ['Notifications', 'Chat']) {
    await page.context().setOffline(true)
    await tab(page, name)
    await expect(noConnection(page)).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await expect.poll(() => bare(page)).toEqual([])
  }
})

test('stylesheets that did not come while their page did are asked for again', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ivo'), phone: true, refusals: true })
  for (const [when, timeout] of [
    ['in a while', 10_000],
    ['once the browser is online again', 3_000],
  ] as const)
    await test.step(when, async () => {
      await page.goto('/notifications')
      await page.route(SHEET, (route) => route.abort('connectionreset'))
      await tab(page, 'Chat')
      await expect(page.getByText('Select a match to start chatting')).toBeVisible()
      await expect.poll(() => bare(page)).not.toEqual([])
      await page.unroute(SHEET)
      if (timeout === 3_000) await page.evaluate(() => dispatchEvent(new Event('online')))
      await expect.poll(() => bare(page), { timeout }).toEqual([])
    })
})

test('a page behind a bad gateway, and Back without network, say so where they lead, until the page can be read', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Bea'), phone: true, refusals: true })
  await page.goto('/notifications')
  await readsGet(page, (route) => route.fulfill(BAD_GATEWAY))
  await tab(page, 'Chat')
  await expect(noConnection(page)).toBeVisible()
  await page.unroute(DATA)
  await expect(page.getByRole('heading', { name: 'Chat', level: 1 })).toBeVisible()
  await page.waitForURL('**/chat')
  await page.context().setOffline(true)
  await page.goBack()
  await expect(noConnection(page)).toBeVisible()
  await expect(page).toHaveURL('/notifications')
  await expect(page.getByRole('link', { name: 'Go to the start' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/notifications')
})

test('another search of the same page is answered without network, and done once it is back', async ({
  world,
  open,
}) => {
  const cid = await world.member('Cid')
  await world.match(cid, await world.member('Jamila'))
  await world.settled()
  const page = await open({ as: cid, refusals: true })
  await page.goto('/chat')
  await page.route(DATA, (route) => route.abort('connectionrefused'))
  await page.getByRole('searchbox').fill('Jam')
  await page.keyboard.press('Enter')
  await expect(noConnection(page)).toBeVisible()
  await page.unroute(DATA)
  await expect(page.getByRole('searchbox')).toHaveValue('Jam')
  await expect(page).toHaveURL(/\/chat\?q=Jam/)
})

test('without network a form can be sent again, and a page that was never opened says so by one of the product', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  const page = await open({ as: await world.member('Eva'), phone: true, refusals: true, ahead: true })
  for (const [path, name] of [
    ['/profile/privacy?section=blur', /^Save/],
    ['/profile/edit?section=place', 'Save where you live'],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path)
      await page.context().setOffline(true)
      const save = page.getByRole('button', { name }).first()
      for (let times = 0; times < 2; times++) {
        const sent = page.waitForRequest((request) => request.method() === 'POST')
        await save.click()
        await sent
        await expect(page.getByText('Network error. Please check your connection.').first()).toBeVisible()
        await expect(save).not.toHaveAttribute('aria-disabled')
      }
      await page.context().setOffline(false)
      await save.click()
      await expect(page.getByText('Network error. Please check your connection.')).toHaveCount(0)
    })
  await test.step('a page that was never opened', async () => {
    await page.goto('/profile/edit')
    await loadedAhead(page, 'routes/discover')
    await page.context().setOffline(true)
    await tab(page, 'Discover')
    await expect(noConnection(page)).toBeVisible()
    await page.context().setOffline(false)
    await expect(page.locator('.discover')).toBeVisible()
  })
})

test('a server that has been away for a while is named on the page, until it is back', async ({ world, open }) => {
  const page = await open({ as: await world.member('Gus'), phone: true, refusals: true })
  let isAway = true
  await page.routeWebSocket('**/realtime', (socket) => {
    if (isAway) socket.close({ code: 1013 })
    else socket.connectToServer()
  })
  await page.goto('/notifications')
  const strip = page.getByRole('status').filter({ hasText: 'LetsBuzz does not answer right now.' })
  await expect(strip).toBeInViewport({ ratio: 1 })
  isAway = false
  await expect(strip).toHaveCount(0)
})
