import { expect, test } from '../fixture.ts'

test('tabs show their last one whole on the narrowest phone, with a count on each', async ({ world, open }) => {
  const [ann, ...others] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.match(ann, others[0]!)
  await world.buzz(others[1]!, ann)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/notifications', '/profile/seen/stranger']) {
    await page.goto(path)
    await expect(page.locator('.tabs a').last()).toBeInViewport({ ratio: 1 })
    if (path === '/notifications') await expect(page.locator('.tabs .badge').last()).toBeInViewport({ ratio: 1 })
  }
})
