import { expect, test } from '../fixture.ts'

const MEDIA = /\/media\//

test('a portrait that does not come leaves a calm disc, and is asked for again once the network is back', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, refusals: true })
  await page.route(MEDIA, (route) => route.abort('connectionreset'))
  await page.goto('/chat')
  const portrait = page.locator('.chat-list .avatar img').first()
  await expect(portrait).toBeHidden()
  await page.unroute(MEDIA)
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await expect(portrait).toBeVisible()
  expect(await portrait.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('a portrait that fails shows the initial, and comes by itself though the network never went', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, refusals: true })
  await page.route(MEDIA, (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto('/chat')
  const disc = page.locator('.chat-list .avatar').first()
  const portrait = disc.locator('img')
  await expect(portrait).toBeHidden()
  const letter = await disc.evaluate((avatar) => getComputedStyle(avatar, '::before').content)
  expect(letter).toMatch(/^"B"/)
  await expect(disc).toHaveClass(/avatar-tone-/)
  await page.unroute(MEDIA)
  await expect(portrait).toBeVisible({ timeout: 20_000 })
})
