import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect, test } from '../fixture.ts'
import { deckOf } from './deck-of.ts'

const ROW = -80

/** News of somebody else have the page read anew. */
async function leaves(world: World, who: Person, { page, yan }: { page: Page; yan: Person }) {
  await world.account(who, 'EraseAccount')
  await world.settled()
  await world.buzz(await world.member('Far', { location: { lat: 80, lng: ROW } }), yan)
  await world.settled()
  await expect(page.getByRole('status').getByText(`${who.name} is no longer among your cards.`)).toBeVisible()
}

test('a card that is taken away says so, and a press that was meant for it decides nothing about the next one', async ({
  world,
  open,
}) => {
  const { page, yan, gone, next } = await deckOf(2, { world, open, row: ROW, live: true })
  await page.getByRole('button', { name: `Buzz ${gone.name}` }).focus()
  // As soon as the card is there, as by a finger that is on its way.
  await page.evaluate((name) => {
    const watch = new MutationObserver(() => {
      const button = document.querySelector<HTMLElement>(`[aria-label="Buzz ${name}"]`)
      if (!button) return
      watch.disconnect()
      button.click()
      document.body.dataset.pressed = 'yes'
    })
    watch.observe(document.body, { subtree: true, childList: true, attributes: true })
  }, next.name)
  await leaves(world, gone, { page, yan })
  await expect(page.locator('[data-pressed]')).toBeAttached()
  const buzz = page.getByRole('button', { name: `Buzz ${next.name}` })
  await expect(buzz).toBeFocused()
  // A moment later it is for the one who is seen.
  await expect(async () => {
    if (await buzz.count()) await buzz.press('Enter', { timeout: 1_000 })
    await expect(buzz).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
  await expect(page.locator('.deck-empty')).toBeFocused()
})

test('the sheet about somebody who is gone closes with that sentence, and the deck has the focus', async ({
  world,
  open,
}) => {
  const { page, yan, gone, next } = await deckOf(2, { world, open, row: ROW, live: true })
  await page.setViewportSize({ width: 568, height: 320 })
  await page.locator('.deck-card:not([aria-hidden]) .deck-more').press('Enter')
  await expect(page.getByRole('dialog', { name: `More about ${gone.name}` })).toBeFocused()
  await leaves(world, gone, { page, yan })
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Skip ${next.name}` })).toBeFocused()
})
