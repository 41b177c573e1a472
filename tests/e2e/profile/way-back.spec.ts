import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const edit = (page: Page) => page.getByRole('link', { name: 'Edit where you live' })

/** Opens the sheet by keyboard, far down the page. */
async function opened(page: Page): Promise<number> {
  await edit(page).focus()
  await edit(page).scrollIntoViewIfNeeded()
  const { y } = (await edit(page).boundingBox())!
  await edit(page).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Where you live' })).toBeVisible()
  return y
}

/** The focus is on what opened it, where it was. */
async function isBack(page: Page, y: number): Promise<void> {
  await expect(page).toHaveURL(/\/profile$/)
  await expect(edit(page)).toBeFocused()
  expect(Math.abs((await edit(page).boundingBox())!.y - y), 'it stands where it did').toBeLessThan(3)
}

test('a sheet that is closed gives the focus to the link of the own profile that opened it', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Rob'), phone: true })
  await page.goto('/profile')
  const y = await opened(page)
  await page.keyboard.press('Escape')
  await isBack(page, y)
  await opened(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()
  await isBack(page, y)
})

test('a sheet that is saved gives the focus to the link of the own profile that opened it', async ({ world, open }) => {
  const page = await open({ as: await world.member('Sue'), phone: true })
  await page.goto('/profile')
  const y = await opened(page)
  await page.getByRole('dialog').getByRole('textbox').first().fill('Bergen')
  await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  await isBack(page, y)
})

test('a link of another entry of the history keeps the focus on the heading', async ({ world, open }) => {
  const page = await open({ as: await world.member('Tia'), phone: true })
  await page.goto('/profile')
  await opened(page)
  await page.evaluate(() => window.__remixRouter.navigate('/profile'))
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
