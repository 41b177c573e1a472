import { expect, test } from '../fixture.ts'

const location = { lat: -31.95, lng: 115.86 }

test('in a low, wide window the switch of the keys takes no place of a button, and nothing is wider than the page', async ({
  world,
  open,
}) => {
  const ann = await world.member('Ann', { location })
  await world.member('Bea', { location })
  await world.settled()
  const page = await open({ as: ann })
  for (const [width, height] of [
    [568, 320],
    [844, 390],
    [1024, 450],
    [1280, 400],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/discover')
    const main = page.locator('main')
    expect(await main.evaluate((one) => one.scrollWidth - one.clientWidth), `${width} × ${height}`).toBe(0)
    const [skip, buzz] = ['Skip Bea', 'Buzz Bea'].map((name) => page.getByRole('button', { name }))
    await buzz!.focus()
    await page.keyboard.press('Tab')
    const keys = page.getByRole('button', { name: 'Turn keys off' })
    await expect(keys).toBeFocused()
    await expect(keys).toBeInViewport({ ratio: 1 })
    // Each as a pointer meets it.
    for (const one of [skip!, buzz!, keys]) await one.click({ trial: true })
  }
})
