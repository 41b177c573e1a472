import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

/** The mark that a browser shows for a picture that did not come; one without words for it shows nothing. */
const marks = (page: Page) =>
  page
    .locator('.deck-card img, .deck-pane img')
    .evaluateAll((all) =>
      (all as HTMLImageElement[])
        .filter(({ complete, naturalWidth, alt }) => complete && naturalWidth === 0 && alt !== '')
        .map(({ outerHTML }) => outerHTML),
    )

test('pictures that do not come leave an empty cell, on the card as beside it', async ({ world, open }) => {
  const location = { lat: 60.39, lng: -46.02 }
  for (const name of ['Fia', 'Geir']) await world.member(name, { location })
  const page = await open({ as: await world.member('Hera', { location }), refusals: true })
  await page.route(/\/media\//, (route) => route.abort('connectionreset'))
  await page.goto('/discover')
  await expect(page.locator('.deck-card .picture-none').first()).toBeVisible()
  await expect(page.locator('.about-photos .picture-none').first()).toBeVisible()
  expect(await marks(page)).toEqual([])
})

test('a picture that did not come is asked for again once the network is back', async ({ world, open }) => {
  const location = { lat: 61.99, lng: -49.67 }
  await world.member('Iben', { location })
  const page = await open({ as: await world.member('Jens', { location }), refusals: true })
  await page.route(/\/media\//, (route) => route.abort('connectionreset'))
  await page.goto('/discover')
  // Behind hers may be cards of people whose location is not known.
  const card = page.getByRole('article')
  await expect(card.locator('.picture-none')).toBeVisible()
  await page.unroute(/\/media\//)
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await expect(card.locator('.picture-image')).toBeVisible()
  await expect(card.locator('.picture-none')).toHaveCount(0)
})
