import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { become, isOf, kept } from '../pages/kept.ts'

const REFUSED = 'This page was opened as another member. Nothing was sent.'

/** Seen by an eye: nothing lies over it. */
const isOnTop = (page: Page) =>
  page
    .getByText(REFUSED)
    .last()
    .evaluate((words) => {
      const { x, y, width, height } = words.getBoundingClientRect()
      return words.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })

for (const phone of [true, false]) {
  test(`a sheet that was another member's says so itself, ${phone ? 'on a phone' : 'beside its page'}`, async ({
    world,
    open,
  }) => {
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    const page = await open({ as: ann, phone, refusals: true })
    await page.goto('/profile/edit?section=about')
    await page.getByLabel('Bio').fill('Of Ann')
    await become(page, world, bea)
    await page.getByRole('button', { name: 'Save about you' }).click()
    await isOf(page, bea)
    await expect(page.getByRole('dialog').getByRole('status').getByText(REFUSED)).toBeVisible()
    await expect.poll(() => isOnTop(page)).toBe(true)
    await page.getByRole('link', { name: 'Close' }).click()
    await expect(page.getByText(REFUSED)).toHaveCount(0)
  })
}

test('a press on another member’s page says that nothing was done until it is read, with the focus at its title', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const [cid, dan] = [await world.member('Cid'), await world.member('Dan')]
  await world.buzz(cid, ann)
  await world.settled()
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  for (const [path, button] of [
    ['/discover', /^Buzz /],
    ['/notifications', /Match Back/],
    [`/viewProfile/${dan.id}`, /^Buzz/],
  ] as const) {
    await become(page, world, ann)
    await page.goto(path)
    await become(page, world, bea)
    await page.getByRole('button', { name: button }).first().click()
    await isOf(page, bea)
    // What the page of before showed is gone with it by then.
    await expect(page.locator('main h1')).toBeFocused()
    await expect(page.getByRole('status').getByText(REFUSED)).toBeVisible()
    await expect(page.getByText(REFUSED)).toHaveCount(1)
  }
})

test('what failed is offered once more to nobody but its member', async ({ world, open }) => {
  const [ann, bea, cid] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cid')]
  const page = await open({ as: ann, phone: true, refusals: true, ahead: true })
  await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto(`/report/${cid.id}`)
  await page.getByLabel('In your own words').fill('Of Ann')
  await kept(page, 'Of Ann')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await become(page, world, bea)
  await page.context().setOffline(false)
  await page.evaluate(() => window.__remixRouter.revalidate())
  await expect(page.locator(`main [name=as][value="${bea.id}"]`)).toBeAttached()
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
})

test('news of one member lies over no page of another one', async ({ world, open }) => {
  const [ann, bea, cid] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cid')]
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.goto('/profile')
  await page.waitForFunction(() => window.__remixRouter !== undefined)
  await world.buzz(cid, ann)
  const news = page.getByText('Cid buzzed you')
  await news.hover()
  await become(page, world, bea)
  await page.evaluate(() => window.__remixRouter.revalidate())
  await isOf(page, bea)
  await expect(news).toHaveCount(0)
})
