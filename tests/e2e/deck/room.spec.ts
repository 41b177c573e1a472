import { expect, test } from '../fixture.ts'

const WINDOWS = [
  [568, 320],
  [640, 360],
  [844, 390],
  [320, 568],
  [360, 640],
  [390, 844],
] as const
/** The ring of the focus: its width and its distance. */
const RING = 5

test('the buttons of the deck have room for the ring of the focus within what the deck shows', async ({
  world,
  open,
}) => {
  const location = { lat: 71.1, lng: 25.8 }
  const [una] = [await world.member('Una', { location }), await world.member('Vic', { location })]
  await world.settled()
  const page = await open({ as: una, phone: true })
  await page.goto('/discover')
  const button = page.getByRole('button', { name: 'Buzz Vic' })
  for (const [width, height] of WINDOWS) {
    await page.setViewportSize({ width, height })
    await button.focus()
    const deck = (await page.locator('.deck').boundingBox())!
    const { y, height: high } = (await button.boundingBox())!
    const words = `${width} × ${height}`
    expect(deck.y + deck.height - y - high, words).toBeGreaterThanOrEqual(RING)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), words).toBe(0)
  }
})

test('in a low window the sheet about a person covers all that it lies over, and is modal', async ({ world, open }) => {
  const location = { lat: 71.1, lng: 55.8 }
  const [wes] = [await world.member('Wes', { location }), await world.member('Xia', { location })]
  await world.settled()
  const page = await open({ as: wes, phone: true })
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto('/discover')
  await page.locator('.deck-card:not([aria-hidden]) .deck-more').click()
  const sheet = page.locator('.sheet')
  await expect(sheet).toBeVisible()
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, width: 844 })
  await expect(sheet).toHaveAttribute('aria-modal', 'true')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(sheet).not.toHaveAttribute('aria-modal')
})

for (const [width, height] of [
  [568, 320],
  [640, 360],
  [320, 568],
] as const)
  test(`a town to type instead of a position is above the bar: ${width} × ${height}`, async ({ world, open }) => {
    const location = { lat: 71.1, lng: -25.8 }
    await world.member('Yul', { location })
    const zed = await world.member('Zed')
    await world.settled()
    const page = await open({ as: zed, phone: true })
    await page.setViewportSize({ width, height })
    await page.goto('/discover')
    const ask = page.getByRole('button', { name: 'Use my location' })
    await ask.press('Enter')
    await expect(page.getByText('Type your town instead.', { exact: false })).toBeVisible()
    const bar = page.locator('.nav-bottom')
    const foot = async () => {
      const [field, below] = [await page.getByLabel('Your town').boundingBox(), await bar.boundingBox()]
      return below!.y - field!.y - field!.height
    }
    await expect.poll(foot).toBeGreaterThanOrEqual(0)
    await expect(page.getByLabel('Your town')).toBeFocused()
    await expect(page.getByText('Type your town instead.', { exact: false })).toBeInViewport()
  })
