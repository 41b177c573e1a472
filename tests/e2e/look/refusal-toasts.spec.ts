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

test('what a refused skip says goes when the same card is skipped again', async ({ world, open }) => {
  const location = { lat: 66.56, lng: -38.02 }
  const [dag] = [await world.member('Dag', { location }), await world.member('Eir', { location })]
  await world.settled()
  const page = await open({ as: dag, phone: true, refusals: true })
  await page.goto('/discover')
  await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
  const skip = page.getByRole('button', { name: 'Skip Eir' })
  await skip.click()
  await expect(page.locator('.toast')).toBeVisible()
  await page.unroute(/\.data(\?|$)/)
  // A click as soon as this may be the second tap of a double one; the press of a key is none.
  await skip.press('Enter')
  await expect(page.locator('.toast')).toHaveCount(0, { timeout: 3_000 })
})
