import type { Person } from '../../support/world-people.ts'
import { expect, test } from '../fixture.ts'
import { deckOf } from './deck-of.ts'

const ROW = -70
/** So many cards are in the page. */
const STACK = 3

test('a buzz for somebody who is gone takes their card away, says so, and shows the next one, whatever became of them', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  const { page, yan, people } = await deckOf(4, { world, open, row: ROW })
  const cards = page.locator('.deck-card')
  const buzz = (name: string) => page.getByRole('button', { name: `Buzz ${name}` })
  for (const [why, left] of [
    ['EraseAccount', 4],
    ['Deactivate', 3],
    ['block', 2],
  ] as const)
    await test.step(why, async () => {
      // Those that leave are gone.
      await expect(cards).toHaveCount(Math.min(left, STACK))
      const names = await cards.getByRole('heading', { includeHidden: true }).allInnerTexts()
      const [gone, next] = names.map((name) => people.find((one) => name.startsWith(one.name))!) as [Person, Person]
      await (why === 'block' ? world.block(gone, yan) : world.account(gone, why))
      await world.settled()
      await buzz(gone.name).press('Enter')
      await expect(page.getByRole('status').getByText(`${gone.name} is no longer here.`)).toBeVisible()
      await expect(buzz(gone.name)).toHaveCount(0)
      await expect(buzz(next.name)).toBeFocused()
    })
  await expect(cards).toHaveCount(1)
  const name = await cards.getByRole('heading').innerText()
  const last = people.find((one) => name.startsWith(one.name))!
  await buzz(last.name).click()
  await expect(page.getByRole('status').getByText(`You buzzed ${last.name}.`)).toBeVisible()
  await expect(buzz(last.name)).toHaveCount(0)
})

test('a skip of somebody who is gone leads on all the same', async ({ world, open }) => {
  const { page, gone, next } = await deckOf(2, { world, open, row: ROW })
  await world.account(gone, 'EraseAccount')
  await world.settled()
  await page.getByRole('button', { name: `Skip ${gone.name}` }).press('Enter')
  await expect(page.getByRole('status').getByText(`${gone.name} is no longer here.`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeFocused()
})

test('without script a buzz for somebody who is gone shows a sentence, and the next card', async ({ world, open }) => {
  const { page, gone, next } = await deckOf(2, { world, open, row: ROW, script: false })
  await world.account(gone, 'EraseAccount')
  await world.settled()
  await page.getByRole('button', { name: `Buzz ${gone.name}` }).click()
  await expect(page.getByText('This person is no longer here.')).toBeVisible()
  await expect(page.getByRole('button', { name: `Buzz ${next.name}` })).toBeVisible()
  await expect(page.getByRole('button', { name: `Buzz ${gone.name}` })).toHaveCount(0)
})
