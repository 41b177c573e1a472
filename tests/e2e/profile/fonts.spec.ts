import { expect, test } from '../fixture.ts'

declare global {
  interface Window {
    shifted: number
  }
}

/** What the spec of the product allows on every page. */
const SHIFT_AT_MOST = 0.01

for (const [name, phone] of [
  ['Alexandra-Cathrine', true],
  ['Ann', true],
  ['Bartholomew', false],
] as const) {
  test(`the profile of ${name} stays where it is when its fonts come late, ${phone ? 'on a phone' : 'on a desktop'}`, async ({
    world,
    open,
  }) => {
    const [me, other] = [await world.member('Zoe'), await world.member(name)]
    await world.edit(other, {
      bio: 'Bakes at dawn, swims before work, and reads one chapter too many on the last train home.',
    })
    await world.match(me, other)
    await world.settled()
    const page = await open({ as: me, phone })
    await page.addInitScript(() => {
      window.shifted = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shifted += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    let letThrough = () => {}
    const late = new Promise<void>((done) => {
      letThrough = done
    })
    await page.route(/\.woff2$/, async (route) => {
      await late
      await route.continue()
    })
    await page.goto(`/viewProfile/${other.id}`, { waitUntil: 'commit' })
    await expect(page.getByRole('link', { name: 'Chat', exact: true }).last()).toBeVisible()
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    letThrough()
    await page.waitForFunction(() => document.fonts.check('560 1rem Fraunces') && document.fonts.check('1rem Figtree'))
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.evaluate(() => window.shifted)).toBeLessThanOrEqual(SHIFT_AT_MOST)
  })
}
