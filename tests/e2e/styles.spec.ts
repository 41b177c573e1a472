import type { Page, Route } from 'playwright'
import { expect, test } from './fixture.ts'

declare global {
  interface Window {
    /** Sheets that were still on their way while the page with them was drawn. */
    late: string[]
  }
}

/** Looks at every frame, from the first that is drawn. */
const watchFrames = () => {
  window.late = []
  const look = () => {
    const sheets = document.head?.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]') ?? []
    for (const { sheet, href } of sheets) if (!sheet) window.late.push(`${location.pathname}: ${href}`)
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Holds back what the page asks for, until `release`. */
async function hold(page: Page, url: RegExp) {
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  await page.route(url, (route: Route) => released.then(() => route.continue()))
  return release
}

type Box = { y: number; height: number }
const endOf = ({ y, height }: Box) => y + height
const sheetsOf = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ href }) => href))
const navLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name })

test('a page is drawn with its sheets alone: where it opens, where a link leads to it, and on the way back', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann') })
  await page.addInitScript(watchFrames)
  await page.goto('/notifications')
  const first = await sheetsOf(page)
  const release = await hold(page, /\.css$/)
  const asked = page.waitForRequest(/\.css$/)
  await navLink(page, 'Chat').click()
  await asked
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Chat', level: 1 })).toBeVisible()
  expect(await sheetsOf(page)).not.toEqual(first)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  expect(await sheetsOf(page)).toEqual(first)
  expect(await page.evaluate(() => window.late)).toEqual([])
})

test('offline on a phone every tab can be pressed: the strip is above the bar', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea'), phone: true })
  await page.goto('/notifications')
  await page.context().setOffline(true)
  const strip = page.getByRole('status').filter({ hasText: 'You are offline.' })
  await expect(strip).toBeInViewport({ ratio: 1 })
  await expect(strip).toHaveText('You are offline. Nothing can be sent until you are back.')
  const bar = page.locator('.nav-bottom')
  const [stripBox, barBox] = [await strip.boundingBox(), await bar.boundingBox()]
  expect(stripBox!.y + stripBox!.height).toBeLessThanOrEqual(barBox!.y)
  const onTop = await bar.getByRole('link').evaluateAll((tabs) =>
    tabs.map((tab) => {
      const { x, y, width, height } = tab.getBoundingClientRect()
      return tab.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    }),
  )
  expect(onTop).toEqual([true, true, true, true])
})

test('offline on a low phone the strip lies over nothing of the deck, whose buttons stay above the bar', async ({
  world,
  open,
}) => {
  const location = { lat: 71.17, lng: 25.78 }
  await world.member('Kay', { location })
  const page = await open({ as: await world.member('Lou', { location }), phone: true, refusals: true })
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/discover')
  await page.context().setOffline(true)
  const strip = (await page.locator('.offline-strip').boundingBox())!
  const filters = (await page.locator('.deck-filters summary').boundingBox())!
  const skip = (await page.getByRole('button', { name: 'Skip Kay' }).boundingBox())!
  const bar = (await page.locator('.nav-bottom').boundingBox())!
  expect(filters.y).toBeGreaterThanOrEqual(strip.y + strip.height)
  expect(skip.y + skip.height).toBeLessThanOrEqual(bar.y)
})

test('offline a toast lies over neither the strip nor the face and the buttons of the deck, nor filters in use', async ({
  world,
  open,
}) => {
  const location = { lat: 70.03, lng: 27.39 }
  await world.member('Moa', { location })
  const page = await open({ as: await world.member('Nils', { location }), phone: true, refusals: true })
  await page.goto('/discover')
  const skip = page.getByRole('button', { name: 'Skip Moa' })
  await expect(skip).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.locator('.offline-strip')).toBeVisible()
  await skip.click()
  const toast = page.locator('.toast')
  await expect(toast).toBeVisible()
  // It stays while a pointer is on it.
  await toast.dispatchEvent('pointerover')
  const card = page.locator('.deck-card:not([aria-hidden])')
  const boxes = async () =>
    (await Promise.all(
      [toast, page.locator('.offline-strip'), page.locator('.deck-bar'), card, skip].map((one) => one.boundingBox()),
    )) as Box[]
  for (const [width, height] of [
    [390, 844],
    [320, 640],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await skip.focus()
    const [shown, strip, , face, button] = await boxes()
    expect(shown!.y, `${width}`).toBeGreaterThanOrEqual(endOf(strip!))
    expect(endOf(shown!) - face!.y, `${width}: of the card it covers the edge`).toBeLessThan(face!.height / 8)
    expect(endOf(shown!), `${width}`).toBeLessThanOrEqual(button!.y)
    await page.locator('.deck-filters summary').focus()
    const [aside, , bar] = await boxes()
    expect(aside!.y, `${width}: filters in use`).toBeGreaterThanOrEqual(endOf(bar!))
  }
})

test('offline, a conversation alone promises to send what is written', async ({ world, open }) => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  await world.match(eve, fay)
  await world.settled()
  const page = await open({ as: eve, phone: true, refusals: true })
  await page.goto(`/chat/${fay.id}`)
  await page.context().setOffline(true)
  const strip = page.getByRole('status').filter({ hasText: 'You are offline.' })
  await expect(strip).toContainText('What you write waits on this page and is sent when you are back.')
  await page.getByLabel('Message to Fay').fill('From a tunnel')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText('From a tunnel')
})

test('on a low screen the person on a card is not hidden by the words about them', async ({ world, open }) => {
  const location = { lat: 64.15, lng: -21.94 }
  const long = await world.member('Wilhelmina-Konstantina', {
    location,
    interests: ['Photography', 'Dancing', 'Travel'],
  })
  await world.edit(long, { bio: 'A long story about everything. '.repeat(15), visibilityMode: 'full' })
  const page = await open({ as: await world.member('Cid', { location }), phone: true })
  await page.goto('/discover')
  for (const [width, height] of [
    [360, 640],
    [375, 667],
    [1280, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    const card = (await page.locator('.deck-card').first().boundingBox())!
    const foot = (await page.locator('.deck-foot').first().boundingBox())!
    const name = (await page.locator('.deck-name').first().boundingBox())!
    expect(foot.height / card.height, `${width} × ${height}`).toBeLessThanOrEqual(0.45)
    expect((name.y - card.y) / card.height, `${width} × ${height}`).toBeGreaterThan(0.55)
  }
})
