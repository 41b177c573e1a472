import { expect, test } from '../fixture.ts'
import { deckOf } from './deck-of.ts'

const ROW = -70

for (const why of ['EraseAccount', 'Deactivate', 'block'] as const)
  test(`a buzz for somebody who is gone takes their card away, says so, and shows the next one: ${why}`, async ({
    world,
    open,
  }) => {
    const { page, yan, gone, next } = await deckOf(2, { world, open, row: ROW })
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
