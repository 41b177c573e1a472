import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'

const NEAR = { preferences: { ageRange: [18, 100] as [number, number], distanceMiles: 5 } }
/** Names of people without anybody else within reach. */
let towns = 0
const nextTown = () => ({ lat: -54 + 0.9 * towns++, lng: -70 })

/** Yan's deck, which begins with two people, none of whom is pushed out of it; whoever named no place comes behind them. */
async function deckOfTwo(world: World, open: (options: object) => Promise<Page>, script = true) {
  const location = nextTown()
  const yan = await world.member('Yan', { location, ...NEAR })
  const people = [await world.member('Zia', { location }), await world.member('Zoe', { location })]
  await world.settled()
  const page = await open({ as: yan, phone: true, refusals: true, script })
  if (script) await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto('/discover')
  const first = await page.locator('.deck-card:not([aria-hidden])').getByRole('heading').innerText()
  const [gone, next] = first.startsWith(people[0]!.name) ? people : people.toReversed()
  return { page, yan, gone: gone!, next: next! }
}

for (const why of ['EraseAccount', 'Deactivate', 'block'] as const)
  test(`a buzz for somebody who is gone takes their card away, says so, and shows the next one: ${why}`, async ({
    world,
    open,
  }) => {
    const { page, yan, gone, next } = await deckOfTwo(world, open)
    await (why === 'block' ? world.block(gone, yan) : world.account(gone, why))
    await world.settled()
    await page.getByRole('button', { name: `Buzz ${gone.name}` }).press('Enter')
    await expect(page.getByRole('status').getByText(`${gone.name} is no longer here.`)).toBeVisible()
    await expect(page.getByRole('button', { name: `Buzz ${gone.name}` })).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Buzz ${next.name}` })).toBeFocused()
    await page.getByRole('button', { name: `Buzz ${next.name}` }).click()
    await expect(page.getByRole('status').getByText(`You buzzed ${next.name}.`)).toBeVisible()
    await expect(page.getByRole('button', { name: `Buzz ${next.name}` })).toHaveCount(0)
  })

test('a skip of somebody who is gone leads on all the same', async ({ world, open }) => {
  const { page, gone, next } = await deckOfTwo(world, open)
  await world.account(gone, 'EraseAccount')
  await world.settled()
  await page.getByRole('button', { name: `Skip ${gone.name}` }).press('Enter')
  await expect(page.getByRole('status').getByText(`${gone.name} is no longer here.`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeFocused()
})

test('without script a buzz for somebody who is gone shows a sentence, and the next card', async ({ world, open }) => {
  const { page, gone, next } = await deckOfTwo(world, open, false)
  await world.account(gone, 'EraseAccount')
  await world.settled()
  await page.getByRole('button', { name: `Buzz ${gone.name}` }).click()
  await expect(page.getByText('This person is no longer here.')).toBeVisible()
  await expect(page.getByRole('button', { name: `Buzz ${next.name}` })).toBeVisible()
  await expect(page.getByRole('button', { name: `Buzz ${gone.name}` })).toHaveCount(0)
})
