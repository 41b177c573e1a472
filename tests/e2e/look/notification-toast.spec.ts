import { expect, test } from '../fixture.ts'

test('what a refused notification says goes with the next answer of its row', async ({ world, open }) => {
  const [ove, pal] = [await world.member('Ove'), await world.member('Pal')]
  await world.buzz(pal, ove)
  await world.settled()
  const page = await open({ as: ove, phone: true, refusals: true })
  await page.goto('/notifications')
  const markRead = page.getByRole('button', { name: 'Mark read' })
  const press = async () => {
    if (!(await markRead.isVisible())) await page.locator('.notice .menu summary').click()
    await markRead.click()
  }
  await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
  await press()
  await expect(page.locator('.toast-alarm')).toBeVisible()
  await page.unroute(/\.data(\?|$)/)
  await press()
  await expect(page.locator('.toast-alarm')).toHaveCount(0, { timeout: 3_000 })
})
