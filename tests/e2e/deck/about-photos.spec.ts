import sharp from 'sharp'
import { expect, test } from '../fixture.ts'

test('beside the deck a photo of any format fills its tile', async ({ world, open }) => {
  const location = { lat: 63.43, lng: -51.29 }
  await world.member('Ane', { location })
  const body = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#486' } })
    .png()
    .toBuffer()
  const page = await open({ as: await world.member('Bo', { location }) })
  await page.route(/\/media\//, (route) => route.fulfill({ contentType: 'image/png', body }))
  await page.goto('/discover')
  const tiles = page.locator('.about-photos .picture')
  await expect(tiles).toHaveCount(2)
  for (const tile of await tiles.all()) {
    const image = tile.locator('img')
    await image.scrollIntoViewIfNeeded()
    const format = (one: HTMLImageElement) => one.naturalWidth / one.naturalHeight
    await expect.poll(() => image.evaluate(format)).toBeCloseTo(16 / 9)
    const [box, shown] = [(await tile.boundingBox())!, (await image.boundingBox())!]
    expect(shown).toEqual(box)
    expect(box.height / box.width).toBeCloseTo(5 / 4, 1)
    await expect(image).toHaveCSS('object-fit', 'cover')
  }
})
