import type { Locator, Page } from 'playwright'
import { expect, test } from './fixture.ts'

const TROMSO = { lat: 69.65, lng: 18.96 }
const PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
] as const

/** Whether a finger at the middle of it meets the thing itself. */
const isInReach = (thing: Locator) =>
  thing.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const met = document.elementFromPoint(x + width / 2, y + height / 2)
    return met !== null && element.contains(met)
  })
const buzzOf = (page: Page) => page.getByRole('button', { name: /^Buzz / })

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: on a phone the name and the buttons of a card are in view, also for who has no place yet`, async ({
    world,
    open,
  }) => {
    await world.member('Ann', { location: TROMSO })
    const [settled, newcomer] = [await world.member('Bea', { location: TROMSO }), await world.member('Cid')]
    await world.settled()
    for (const who of [settled, newcomer]) {
      const page = await open({ as: who, phone: true, script })
      for (const phone of PHONES) {
        await page.setViewportSize(phone)
        await page.goto('/discover')
        await expect(buzzOf(page)).toBeVisible()
        const words = `${phone.width} × ${phone.height}`
        expect(await isInReach(buzzOf(page)), words).toBe(true)
        expect(await isInReach(page.locator('.deck-name').first()), words).toBe(true)
      }
    }
  })
}

test('what a refused skip says leaves the buttons of the deck, and the bar below, in reach', async ({
  world,
  open,
}) => {
  const location = { lat: 69.66, lng: -18.97 }
  const [dan] = [await world.member('Dan', { location }), await world.member('Eve', { location })]
  await world.settled()
  for (const phone of [true, false]) {
    const page = await open({ as: dan, phone, refusals: true })
    await page.goto('/discover')
    await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
    await page.getByRole('button', { name: 'Skip Eve' }).click()
    await expect(page.locator('.toast')).toBeVisible()
    for (const name of ['Skip Eve', 'Buzz Eve'])
      await expect.poll(() => isInReach(page.getByRole('button', { name })), name).toBe(true)
    const links = page.getByRole('navigation').getByRole('link')
    for (const link of (await links.all()).filter((_, at) => at < 4)) expect(await isInReach(link)).toBe(true)
  }
})

test('a vibe that was refused gives way to the one that is stored', async ({ world, open }) => {
  const page = await open({ as: await world.member('Fay', { location: TROMSO }), phone: true, refusals: true })
  await page.goto('/discover')
  const vibe = page.getByLabel('My vibe')
  const before = await vibe.inputValue()
  await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
  await vibe.selectOption(before === 'friends' ? 'serious' : 'friends')
  await expect(page.getByText('Network error. Please check your connection.').first()).toBeVisible()
  await expect(vibe).toHaveValue(before)
})
