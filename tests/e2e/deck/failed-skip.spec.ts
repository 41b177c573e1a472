import { expect, test } from '../fixture.ts'

test('what a skip that nobody answered says leaves the face free', async ({ world, open }) => {
  const location = { lat: 69.96, lng: 23.27 }
  const [kai] = [await world.member('Kai', { location }), await world.member('Lia', { location })]
  await world.settled()
  const page = await open({ as: kai, phone: true, refusals: true })
  await page.goto('/discover')
  await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Skip Lia' }).click()
  const toast = page.locator('.toast')
  await expect(toast).toContainText('Network error.')
  await expect(page.getByRole('button', { name: 'Skip Lia' })).toBeVisible()
  const covered = async () => {
    const { y, height } = (await toast.boundingBox())!
    return y + height - (await page.locator('.deck-card:not([aria-hidden])').boundingBox())!.y
  }
  // Once it stands still.
  await expect.poll(covered, 'of the card it covers an edge').toBeLessThan(12)
})
