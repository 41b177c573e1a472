import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { signInAs } from '../pages/sign-in.ts'

const KIRKENES = { lat: 69.73, lng: 30.05 }
/** Phones upright and turned, and a desktop window at 200 %. */
const LOW = [
  [375, 667],
  [360, 640],
  [320, 640],
  [320, 568],
  [667, 375],
  [640, 400],
] as const

const APPLIED = '/discover?ageMin=20&ageMax=80'

const openFilters = (page: Page) => page.locator('.deck-filters > summary').click()

/** What could not be pressed fails at the trial. */
async function inLowWindows(page: Page, look: () => Promise<void>): Promise<void> {
  for (const [width, height] of LOW) {
    await page.setViewportSize({ width, height })
    await openFilters(page)
    await look()
    await page.locator('.deck-filters').evaluate((filters: HTMLDetailsElement) => {
      filters.open = false
    })
  }
}

for (const script of [true, false])
  test(`in a low window the filters are applied and cleared, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    // Who looks for ages of their own is not offered those.
    const wide = await world.member('Ada', {
      location: KIRKENES,
      preferences: { ageRange: [18, 100], distanceMiles: 1000 },
    })
    const narrow = await world.member('Ben', {
      location: KIRKENES,
      preferences: { ageRange: [30, 40], distanceMiles: 25 },
    })
    await world.settled()
    const page = await open({ phone: true, script })
    const [apply, clear] = [
      page.getByRole('button', { name: 'Show people' }),
      page.getByRole('link', { name: 'Clear' }),
    ]
    for (const [who, offers] of [
      [wide, 1],
      [narrow, 0],
    ] as const) {
      await signInAs(page, world, who)
      await page.goto('/discover')
      await inLowWindows(page, async () => {
        await expect(page.getByRole('link', { name: /^About my age/ })).toHaveCount(offers)
        await apply.click({ trial: true, timeout: 5000 })
      })
      await page.goto(APPLIED)
      await inLowWindows(page, () => clear.click({ trial: true, timeout: 5000 }))
      await openFilters(page)
      await clear.click()
      await page.waitForURL((url) => !url.searchParams.has('ageMin'))
      await openFilters(page)
      await apply.click()
      await page.waitForURL(/ageMin/)
    }
  })
