import { expect, test } from '../fixture.ts'

test('after an answer that was lost the list and the badge of the notifications count alike', async ({
  world,
  open,
}) => {
  const [me, ned, ole] = [await world.member('Mia'), await world.member('Ned'), await world.member('Ole')]
  await world.buzz(ned, me)
  await world.buzz(ole, me)
  await world.settled()
  const page = await open({ as: me, phone: true, refusals: true })
  await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto('/notifications')
  await expect(page.locator('.notice')).toHaveCount(2)
  await world.account(ned, 'EraseAccount')
  await world.settled()
  await page.route(/\.data(\?|$)/, (route) =>
    route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
  )
  await page.getByRole('button', { name: 'Match Back with Ole' }).click()
  await expect(page.locator('.toast-alarm')).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  const rows = await page.locator('.notice').count()
  await expect(page).toHaveTitle(new RegExp(`^\\(${rows}\\)`))
})
