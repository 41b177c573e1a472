import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

test('an unread notification has a dot, and the ground of one that was read', async ({ world, open }) => {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  for (const other of [bea, cat]) await world.buzz(other, ann)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto('/notifications')
  const notice = (name: string) => page.getByRole('listitem').filter({ hasText: `${name} wants to match with you` })
  await notice('Cat').locator('summary').click()
  await notice('Cat').getByRole('button', { name: 'Mark read' }).click()
  await expect(notice('Cat').locator('.notice-dot')).toHaveCount(0)
  await expect(notice('Bea').locator('.notice-dot')).toBeVisible()
  const ground = (name: string) => notice(name).evaluate((row) => getComputedStyle(row).backgroundColor)
  expect(await ground('Bea')).toBe(await ground('Cat'))
})

/** The ground of the page: lightness, and how far it is from grey in the two directions of OKLab. */
const ground = (page: Page) =>
  page.evaluate(() => {
    const text = getComputedStyle(document.documentElement).backgroundColor
    const [light, chroma, hue] = text.match(/[\d.]+/g)!.map(Number) as [number, number, number]
    const angle = (hue * Math.PI) / 180
    return [light, chroma * Math.cos(angle), chroma * Math.sin(angle)] as const
  })

test('Buzz Mode is another ground than dark', async ({ open }) => {
  const page = await open()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/terms')
  const dark = await ground(page)
  await page.getByRole('button', { name: 'Buzz Mode' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'buzz')
  const buzz = await ground(page)
  expect(Math.hypot(...dark.map((value, axis) => value - buzz[axis]!))).toBeGreaterThan(0.08)
})
