import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const AASIAAT = { lat: 68.71, lng: -52.87 }

/** Both buttons, whole and above the bar. */
async function expectButtonsInReach(page: Page): Promise<void> {
  const bar = (await page.locator('.nav-bottom').boundingBox())!
  for (const name of [/^Skip /, /^Buzz /]) {
    const button = page.getByRole('button', { name })
    await expect(button).toBeInViewport({ ratio: 1 })
    const { y, height } = (await button.boundingBox())!
    expect(y + height).toBeLessThanOrEqual(bar.y)
  }
}

test('offline on the narrowest phone the buttons of the deck stay in reach, also for who has no place yet', async ({
  world,
  open,
}) => {
  await world.member('Alma', { location: AASIAAT })
  const [settled, newcomer] = [await world.member('Bruno', { location: AASIAAT }), await world.member('Cleo')]
  await world.settled()
  for (const [who, path] of [
    [settled, '/discover'],
    [newcomer, '/discover'],
    [newcomer, '/discover?welcome'],
  ] as const) {
    const page = await open({ as: who, phone: true, refusals: true })
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(path)
    await expect(page.getByRole('button', { name: /^Buzz / })).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.locator('.offline-strip')).toBeVisible()
    await expectButtonsInReach(page)
  }
})

test('a low window has the name and the buttons in view, beside each other where that is wide', async ({
  world,
  open,
}) => {
  await world.member('Dina', { location: AASIAAT })
  const [settled, newcomer] = [await world.member('Erik', { location: AASIAAT }), await world.member('Fia')]
  await world.settled()
  for (const [who, path, window] of [
    [newcomer, '/discover?welcome', { width: 320, height: 568 }],
    [settled, '/discover', { width: 640, height: 360 }],
    [settled, '/discover', { width: 568, height: 320 }],
    [newcomer, '/discover', { width: 568, height: 320 }],
    [newcomer, '/discover?welcome', { width: 568, height: 320 }],
    [newcomer, '/discover', { width: 667, height: 375 }],
    [settled, '/discover', { width: 844, height: 390 }],
    [settled, '/discover', { width: 1280, height: 450 }],
  ] as const) {
    const page = await open({ as: who, phone: true })
    await page.setViewportSize(window)
    await page.goto(path)
    expect((await page.locator('.deck-card:not([aria-hidden])').boundingBox())!.width).toBeGreaterThan(200)
    if (!(await page.locator('.nav-bottom').isVisible())) continue
    await expectButtonsInReach(page)
    const bar = (await page.locator('.nav-bottom').boundingBox())!
    const name = (await page.locator('.deck-card:not([aria-hidden]) .deck-name').boundingBox())!
    expect(name.y + name.height).toBeLessThanOrEqual(bar.y)
  }
})

test('on its side a phone has the line of facts and More above a bar of icons, whose names are read out', async ({
  world,
  open,
}) => {
  await world.member('Gus', { location: AASIAAT })
  const hal = await world.member('Hal', { location: AASIAAT })
  await world.settled()
  const page = await open({ as: hal, phone: true })
  await page.setViewportSize({ width: 568, height: 320 })
  await page.goto('/discover')
  const bar = (await page.locator('.nav-bottom').boundingBox())!
  expect(bar.height).toBeLessThanOrEqual(46)
  const card = page.locator('.deck-card:not([aria-hidden])')
  for (const part of ['.deck-name', '.deck-facts', '.deck-more']) {
    const { y, height } = (await card.locator(part).boundingBox())!
    expect(y + height, part).toBeLessThanOrEqual(bar.y)
  }
  const main = page.getByRole('navigation', { name: 'Main, at the bottom' })
  for (const name of ['Discover', 'Chat', 'Notifications', 'Profile']) {
    const link = main.getByRole('link', { name })
    await expect(link).toBeVisible()
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  }
})
