import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'

const REFUSED = 'Could not accept match right now.'

/** Whom `names` name wait on the notifications, the last one first. */
async function waitingFor(world: World, open: (options: object) => Promise<Page>, names: readonly string[]) {
  const me = await world.member('Moe')
  const others = await Promise.all(names.map((name) => world.member(name)))
  for (const other of others) await world.buzz(other, me)
  await world.settled()
  const page = await open({ as: me, phone: true, refusals: true })
  await page.goto('/notifications')
  await expect(page.locator('.notice')).toHaveCount(names.length)
  return { page, me, others }
}

/** The words stand for as long as it takes to press something beside them. */
async function staysUntilDismissed(page: Page) {
  await expect(page.getByRole('status').getByText(REFUSED)).toBeVisible()
  await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.locator('.toast')).toHaveCount(0)
}

test('a refused Match Back keeps its words when its row is gone, and the next row has the focus', async ({
  world,
  open,
}) => {
  const { page, others } = await waitingFor(world, open, ['Una', 'Vic', 'Wes'])
  await world.account(others[1]!, 'EraseAccount')
  await world.settled()
  await page.getByRole('button', { name: 'Match Back with Vic' }).press('Enter')
  await expect(page.locator('.notice')).toHaveCount(2)
  await expect(page.getByRole('button', { name: /^Una/ })).toBeFocused()
  await staysUntilDismissed(page)
})

test('a refused Match Back of the last row gives the focus to the row before it', async ({ world, open }) => {
  const { page, me, others } = await waitingFor(world, open, ['Xia', 'Yul'])
  await world.block(others[0]!, me)
  await world.settled()
  await page.getByRole('button', { name: 'Match Back with Xia' }).press('Enter')
  await expect(page.locator('.notice')).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Yul/ })).toBeFocused()
  await staysUntilDismissed(page)
})

test('a refused Match Back of the only row gives the focus to the heading', async ({ world, open }) => {
  const { page, me, others } = await waitingFor(world, open, ['Zoe'])
  await world.block(others[0]!, me)
  await world.settled()
  await page.getByRole('button', { name: 'Match Back with Zoe' }).press('Enter')
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeFocused()
  await staysUntilDismissed(page)
})
