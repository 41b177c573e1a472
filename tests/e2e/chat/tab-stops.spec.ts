import { expect, test } from '../fixture.ts'
import { tabTo } from '../pages/keyboard.ts'
import { longRoom } from '../pages/long-room.ts'

/** Links that skip, bar with its pages, search, matches, head of the room, conversation, message box. */
const MOST_STOPS = 16

test('beside a room the matches are one tab stop, and arrows go from one to the next', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 12)
  for (let n = 0; n < 15; n++) await world.match(ann, await world.member(`Match${n}`))
  await world.settled()
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  const rows = page.getByRole('complementary', { name: 'Matches' }).locator('li').getByRole('link')
  await expect(rows).toHaveCount(16)
  await expect(rows.locator('visible=true').and(page.locator(':not([tabindex="-1"])'))).toHaveCount(1)
  let stops = 0
  while (!(await page.getByLabel('Message to Bea').evaluate((box) => box === document.activeElement))) {
    expect(++stops).toBeLessThanOrEqual(MOST_STOPS)
    await page.keyboard.press('Tab')
  }

  await page.reload()
  const own = page.getByRole('complementary').locator('[aria-current=page]')
  await tabTo(page, own)
  await page.keyboard.press('Home')
  await expect(rows.first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(rows.last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(rows.nth(14)).toBeFocused()
  const name = (await rows.nth(14).locator('.chat-row-name').innerText()).split(' ')[0]!
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByLabel('Search matches')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(own).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})
