import { expect, test } from '../fixture.ts'

test('rows get closer with each density, and stay as high as a thumb for members', async ({ open }) => {
  const page = await open({ phone: true })
  await page.goto('/dev/gallery/tokens')
  const heights: number[] = []
  for (const density of ['comfy', 'cozy', 'compact', 'staff']) {
    const row = page.locator(`[data-density=${density}] .list-row`).first()
    heights.push((await row.boundingBox())!.height)
  }
  const [comfy, cozy, compact, staff] = heights as [number, number, number, number]
  expect(comfy).toBeGreaterThan(cozy)
  expect(cozy).toBeGreaterThan(compact)
  expect(compact).toBeGreaterThanOrEqual(44)
  expect(staff).toBeLessThan(compact)
})

test('text grows and shrinks with the text size that is chosen, and nothing runs out of the window', async ({
  open,
}) => {
  const page = await open({ phone: true })
  await page.goto('/dev/gallery/tokens')
  const size = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
  expect(await size()).toBe(16)
  for (const [percent, pixels] of [
    ['90', 14.4],
    ['120', 19.2],
  ] as const) {
    await page.getByRole('radio', { name: `${percent} %` }).check()
    await expect.poll(size).toBeCloseTo(pixels, 1)
    expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390)
  }
})

test('under reduced motion what comes in does so at once', async ({ open }) => {
  const page = await open()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/dev/gallery/tokens')
  for (const name of ['enter', 'pop', 'stagger'])
    await expect(page.locator(`.moves-${name}`).first()).toHaveCSS('animation-duration', '0.001s')
})
