import { expect, test } from '../fixture.ts'
import { deckOf } from './deck-of.ts'

const ROW = -75

for (const act of ['Skip', 'Buzz'])
  test(`an undo by key keeps the focus, and comes back from the empty deck to its buttons: ${act}`, async ({
    world,
    open,
  }) => {
    const { page, gone: first, next } = await deckOf(2, { world, open, row: ROW })
    const undo = page.getByRole('button', { name: `Undo the last ${act === 'Skip' ? 'skip' : 'buzz'}` })
    const decide = (name: string) => page.getByRole('button', { name: `${act} ${name}` })
    await decide(first.name).press('Enter')
    await expect(undo).toBeEnabled()
    await undo.press('Enter')
    await expect(page.getByRole('status').getByText(`${first.name} is back.`)).toBeAttached()
    await expect(decide(first.name)).toBeVisible()
    const left = page.locator('.deck-buttons form').nth(1).getByRole('button')
    await expect(left).toBeDisabled()
    await expect(left).toBeFocused()
    await left.press('Enter')
    await expect(decide(first.name)).toBeVisible()

    await decide(first.name).press('Enter')
    await decide(next.name).press('Enter')
    await expect(page.locator('.deck-empty')).toBeFocused()
    await undo.press('Enter')
    await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeFocused()
  })

for (const [act, why] of [
  ['Skip', 'EraseAccount'],
  ['Skip', 'hide'],
  ['Buzz', 'block'],
] as const)
  test(`an undo of somebody who is gone says so, and nobody is announced as back: ${act}, ${why}`, async ({
    world,
    open,
  }) => {
    const { page, yan, gone, next } = await deckOf(2, { world, open, row: ROW })
    const heard: string[] = []
    await page.exposeFunction('heard', (text: string) => heard.push(text))
    await page.evaluate(() => {
      const note = () => (window as unknown as { heard: (text: string) => void }).heard(document.body.innerText)
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    await page.getByRole('button', { name: `${act} ${gone.name}` }).press('Enter')
    const undo = page.getByRole('button', { name: /^Undo the last/ })
    await expect(undo).toBeEnabled()
    if (why === 'block') await world.block(gone, yan)
    else if (why === 'hide') await world.edit(gone, { visibilityMode: 'hidden' })
    else await world.account(gone, why)
    await world.settled()
    await undo.press('Enter')
    await expect(page.getByRole('status').getByText(`${gone.name} is no longer here.`)).toBeVisible()
    await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeVisible()
    await expect(undo).toBeDisabled()
    await expect(undo).toBeFocused()
    expect(heard.join()).not.toContain('is back')
  })

test('an undo of somebody who is gone leaves an empty deck as it is, with the focus', async ({ world, open }) => {
  const { page, yan, gone } = await deckOf(1, { world, open, row: ROW })
  await page.getByRole('button', { name: `Skip ${gone.name}` }).press('Enter')
  await expect(page.locator('.deck-empty')).toBeFocused()
  await world.block(gone, yan)
  await world.settled()
  await page.getByRole('button', { name: 'Undo the last skip' }).press('Enter')
  await expect(page.getByRole('status').getByText(`${gone.name} is no longer here.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo the last skip' })).toHaveCount(0)
  await expect(page.locator('.deck-empty')).toBeFocused()
})

test('without script an undo of somebody who is gone shows a sentence, and the deck', async ({ world, open }) => {
  const { page, gone, next } = await deckOf(2, { world, open, row: ROW, script: false })
  await page.getByRole('button', { name: `Skip ${gone.name}` }).click()
  await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeVisible()
  await world.edit(gone, { visibilityMode: 'hidden' })
  await world.settled()
  await page.getByRole('button', { name: 'Undo the last skip' }).click()
  await expect(page.getByText('This person is no longer here.')).toBeVisible()
  await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo the last skip' })).toBeDisabled()
})
