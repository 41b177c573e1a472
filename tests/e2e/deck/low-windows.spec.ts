import type { Locator, Page } from 'playwright'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect, type OpenOptions, test } from '../fixture.ts'
import { signInAs } from '../pages/sign-in.ts'

const LOW = [
  [568, 320],
  [640, 360],
  [667, 375],
  [844, 390],
  [320, 568],
  [360, 640],
] as const
const LONG_NAME = 'Wilhelmina-Konstantina'
const INTERESTS = ['Photography', 'Dancing', 'Travel', 'Music', 'Cooking']

/** Whole within the window, and above the bar at its foot. */
async function expectClear(page: Page, part: Locator, words: string): Promise<void> {
  const bar = await page.locator('.nav-bottom').boundingBox()
  await expect(part, words).toBeInViewport({ ratio: 1 })
  const { y, height } = (await part.boundingBox())!
  expect(y, words).toBeGreaterThanOrEqual(0)
  expect(y + height, words).toBeLessThanOrEqual((bar?.y ?? page.viewportSize()!.height) + 1)
}

type Open = (options?: OpenOptions) => Promise<Page>

/** What this member reads in the first of the windows. */
async function readLow(page: Page, world: World, who: Person, path: string): Promise<void> {
  await signInAs(page, world, who)
  const [width, height] = LOW[0]
  await page.setViewportSize({ width, height })
  await page.goto(path)
}
async function openLow(open: Open, world: World, who: Person, path: string): Promise<Page> {
  const page = await open({ phone: true, refusals: true })
  await readLow(page, world, who, path)
  return page
}

/** What of a box is not shown of what it holds, in pixels. */
const cutOf = (box: Locator) =>
  box.evaluate((one) => Math.max(one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight))

test('in a low window the words of a card are whole, with interests beside the facts where it is wide', async ({
  world,
  open,
}) => {
  const location = { lat: 70.67, lng: -52.12 }
  await world.member(LONG_NAME, { location, interests: INTERESTS })
  const [settled, newcomer] = [await world.member('Ann', { location }), await world.member('Bea')]
  await world.settled()
  const page = await open({ phone: true, refusals: true })
  for (const [who, path] of [
    [settled, '/discover'],
    [newcomer, '/discover'],
    [newcomer, '/discover?welcome'],
  ] as const) {
    await readLow(page, world, who, path)
    for (const [width, height] of LOW) {
      await page.setViewportSize({ width, height })
      const card = page.locator('.deck-card:not([aria-hidden])')
      const words = `${path} ${width} × ${height}`
      await expectClear(page, card, words)
      for (const part of ['.deck-name', '.deck-facts', '.deck-more'])
        await expectClear(page, card.locator(part), `${words} ${part}`)
      const [whole, foot] = [(await card.boundingBox())!, (await card.locator('.deck-foot').boundingBox())!]
      expect(foot.height / whole.height, words).toBeLessThanOrEqual(0.45)
      if (width >= 640) await expectClear(page, card.locator('.chip').first(), `${words} interest`)
    }
  }
})

test('in a low window More has the window, and its end is reached by arrow keys', async ({ world, open }) => {
  const location = { lat: 66.94, lng: -53.67 }
  const lea = await world.member('Lea', { location, interests: INTERESTS })
  await world.edit(lea, { bio: 'I bake bread. '.repeat(30), visibilityMode: 'full' })
  const cid = await world.member('Cid', { location })
  await world.settled()
  const page = await openLow(open, world, cid, '/discover')
  for (const [width, height] of LOW) {
    const words = `${width} × ${height}`
    await page.setViewportSize({ width, height })
    await page.getByRole('link', { name: 'More about Lea' }).focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'More about Lea' })
    await expect(sheet).toBeFocused()
    await sheet.evaluate((box) => Promise.all(box.getAnimations().map(({ finished }) => finished)))
    const body = sheet.locator('.sheet-body')
    expect((await body.boundingBox())!.height, words).toBeGreaterThanOrEqual(200)
    await expect(sheet.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
    await sheet.getByRole('button', { name: 'Close' }).click({ trial: true })
    await page.keyboard.press('ArrowDown')
    await expect(body).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => body.evaluate((box) => box.scrollTop), words).toBeGreaterThan(0)
    await page.keyboard.press('End')
    await expect(sheet.getByRole('link', { name: 'Open the profile' }), words).toBeInViewport({ ratio: 1 })
    await sheet.getByRole('link', { name: 'Open the profile' }).click({ trial: true })
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'More about Lea' })).toBeFocused()
  }
})

test("in a low window 'My vibe' and the welcome are whole, also of a long name", async ({ world, open }) => {
  await world.member('Dan', { location: { lat: 65.41, lng: -52.9 } })
  const longNamed = await world.member(LONG_NAME)
  await world.settled()
  const page = await openLow(open, world, longNamed, '/discover?welcome')
  for (const [width, height] of LOW) {
    const words = `${width} × ${height}`
    await page.setViewportSize({ width, height })
    for (const part of ['.vibe-words', '.banner-title']) {
      await expectClear(page, page.locator(part), `${words} ${part}`)
      expect(await cutOf(page.locator(part)), `${words} ${part}`).toBeLessThanOrEqual(0)
    }
    await expectClear(page, page.getByRole('link', { name: 'Start', exact: true }), words)
    await expect(page.getByLabel('My vibe')).toHaveAccessibleDescription(/on my profile/)
  }
})

test('in a low window what is wrong with a town stands above the bar, with its field', async ({ world, open }) => {
  await world.member('Eve', { location: { lat: 64.18, lng: -51.72 } })
  const [newcomer, lone] = [
    await world.member('Fay'),
    await world.member('Gil', { preferences: { ageRange: [90, 95], distanceMiles: 5 } }),
  ]
  await world.settled()
  const page = await open({ phone: true, refusals: true })
  for (const who of [newcomer, lone]) {
    await readLow(page, world, who, '/discover')
    await page.locator('.location-form summary').click()
    for (const [width, height] of LOW) {
      const words = `${who.id === lone.id ? 'nobody left' : 'a deck'} ${width} × ${height}`
      await page.setViewportSize({ width, height })
      await page.locator('main').evaluate((main) => main.scrollTo(0, 0))
      await page.getByLabel('Your town').fill(`Xyzzy${width}`)
      await page.getByLabel('Your town').press('Enter')
      await expect(page.locator('.field-error')).toContainText(`Xyzzy${width}`)
      await expectClear(page, page.locator('.field-error'), words)
      await expectClear(page, page.getByLabel('Your town'), words)
      await page.getByRole('button', { name: 'Set', exact: true }).click({ trial: true })
    }
  }
})

test('in a low window an empty deck shows what it says and what can be done', async ({ world, open }) => {
  const location = { lat: 72.79, lng: -56.15 }
  await world.member('Hal', { location })
  const preferences = { ageRange: [90, 95] as [number, number], distanceMiles: 50 }
  const [settled, newcomer] = [
    await world.member('Ida', { location, preferences }),
    await world.member('Jon', { preferences }),
  ]
  await world.settled()
  const page = await open({ phone: true, refusals: true })
  for (const [who, path] of [
    [settled, '/discover'],
    [newcomer, '/discover'],
    [newcomer, '/discover?welcome'],
  ] as const) {
    await readLow(page, world, who, path)
    for (const [width, height] of LOW) {
      await page.setViewportSize({ width, height })
      const words = `${path} ${width} × ${height}`
      await expectClear(page, page.getByText('Nobody fits all of this right now'), words)
      await expectClear(page, page.getByRole('link', { name: /^Open the/ }), words)
      if (who.id === newcomer.id && path === '/discover')
        await expectClear(page, page.getByRole('button', { name: 'Use my location' }), words)
    }
  }
})
