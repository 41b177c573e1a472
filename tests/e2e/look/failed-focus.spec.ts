import { expect, test } from '../fixture.ts'

test('the heading of a page that fails has the focus, and that of the page once it comes back', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann'), phone: true, refusals: true })
  // Its script is there from then on.
  await page.goto('/notifications')
  await page.evaluate(() => window.__remixRouter.navigate('/profile'))
  await expect(page).toHaveURL(/\/profile$/)
  await page.context().setOffline(true)
  await page.evaluate(() => window.__remixRouter.navigate('/notifications'))
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeFocused()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeFocused()
})
