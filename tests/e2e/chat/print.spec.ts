import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { bubbles, log, longRoom, message, scrollUpTo } from '../pages/long-room.ts'

declare global {
  interface Window {
    /** How many messages the page has when the browser begins to print. */
    printed: number
  }
}

/** More than the page shows at once. */
const MANY = 230

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

async function expectPlain(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  for (const text of [message(page, 1), message(page, 2)]) {
    await expect(text).toHaveCSS('color', 'rgb(0, 0, 0)')
    await expect(text.locator('xpath=..')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  }
}

test('a printed chat is all that was loaded of it, in black on white, with who wrote and when', async ({
  world,
  open,
}) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], MANY)
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  await page.getByRole('button', { name: 'Buzz Mode' }).click()
  await scrollUpTo(page, 1)
  await expect(message(page, MANY)).toHaveCount(0)
  await page.evaluate(() =>
    addEventListener('beforeprint', () => {
      window.printed = document.querySelectorAll('.bubble-text').length
    }),
  )
  const pdf = await page.pdf()
  expect(await page.evaluate(() => window.printed)).toBe(MANY)
  expect(pagesOf(pdf)).toBeGreaterThan(3)
  await expect(message(page, MANY)).toHaveCount(0)

  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect(bubbles(page)).toHaveCount(MANY)
  await expectPlain(page)
  for (const name of ['Send', 'Buzz Mode', 'Signout']) await expect(page.getByRole('button', { name })).toBeHidden()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  for (const part of ['.composer', '.chat-side', '.message .menu', '.skip-link', '.room-head .menu'])
    await expect(page.locator(part).first()).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Bea' })).toBeVisible()
  const row = (text: string) =>
    log(page)
      .getByRole('listitem')
      .filter({ has: page.getByText(text, { exact: true }) })
  for (const [text, who] of Object.entries({ 'Message 1': 'You:', 'Message 3': 'Bea:' })) {
    const { width } = (await row(text).getByText(who, { exact: true }).boundingBox())!
    expect(width).toBeGreaterThan(10)
    await expect(row(text).locator('time')).toHaveCSS('opacity', '1')
    await expect(row(text).locator('time')).toBeVisible()
  }
  await expect(log(page)).toContainText(/day \d+ [A-Z][a-z]+/)
  const cut = await log(page).evaluate((room) => room.scrollHeight - room.clientHeight)
  expect(cut).toBeLessThanOrEqual(1)
})
