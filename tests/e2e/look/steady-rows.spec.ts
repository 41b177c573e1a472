import type { Route } from 'playwright'
import { expect, test } from '../fixture.ts'

test('on a phone no row moves while a request is matched back', async ({ world, open }) => {
  const ann = await world.member('Ann')
  for (const name of ['Bea', 'Cat']) await world.buzz(await world.member(name), ann)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  await page.goto('/notifications')
  const waiting: Route[] = []
  await page.route(/\.data(\?|$)/, (route) =>
    route.request().method() === 'POST' ? void waiting.push(route) : route.continue(),
  )
  const button = page.getByRole('button', { name: 'Match Back' }).first()
  await expect(button).toBeVisible()
  const boxes = () =>
    page
      .locator('.notice, .notice .button')
      .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())))
  const before = await boxes()
  await button.press('Enter')
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button.locator('.spinner')).toBeVisible()
  expect(await boxes()).toEqual(before)
  await expect.poll(() => waiting.length).toBe(1)
  await waiting[0]!.continue()
})
