import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)
const throwAway = (page: Page) => page.getByRole('button', { name: 'Throw it away' })

test('words of one’s own that were added come back with what was half typed, and go together', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann'), phone: true })
  await page.goto('/profile/edit?section=tastes')
  const own = page.getByLabel('Add your own to your likes')
  for (const word of ['Sailing', 'Night trains']) {
    await own.fill(word)
    await own.press('Enter')
  }
  await own.fill('Half a wo')
  await kept(page, 'Half a wo')
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Night trains' })).toBeChecked()
  await expect(own).toHaveValue('Half a wo')
  await throwAway(page).click()
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toHaveCount(0)
  await expect(own).toHaveValue('')
  await expect(own).toBeFocused()
  await page.reload()
  await expect(own).toBeFocused()
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toHaveCount(0)
  await expect(throwAway(page)).toHaveCount(0)
})

test('presets and own words of one draft come back, can be sent, and are stored', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea') })
  await page.goto('/profile/edit?section=hobbies')
  const own = page.getByLabel('Add your own to your hobbies')
  await page.getByRole('checkbox').first().check()
  const preset = await page.getByRole('checkbox').first().inputValue()
  await own.fill('Sailing')
  // As after a pause: what is half typed is kept, and then it is a word of its own.
  await kept(page, 'Sailing')
  await own.press('Enter')
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await expect(own).toHaveValue('')
  await expect(page.getByRole('checkbox', { name: preset, exact: true })).toBeChecked()
  await page.getByRole('button', { name: 'Save hobbies' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  await page.goto('/profile/edit?section=hobbies')
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: preset, exact: true })).toBeChecked()
  await expect(throwAway(page)).toHaveCount(0)
})

test('the focus is on the radio that is chosen again, and on the first one back once that is thrown away', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Cid'), phone: true })
  await page.goto('/profile/privacy?section=audience')
  const name = await page.locator('dialog [type=radio]').first().getAttribute('name')
  const radio = (which: string) => page.locator(`dialog [name="${name}"]${which}`)
  const before = await radio(':checked').inputValue()
  await radio(':not(:checked)').first().check()
  const chosen = await radio(':checked').inputValue()
  await kept(page, chosen)
  await page.reload()
  await expect(throwAway(page)).toBeVisible()
  await expect(radio(`[value="${chosen}"]`)).toBeChecked()
  await expect(radio(`[value="${chosen}"]`)).toBeFocused()
  await throwAway(page).click()
  await expect(radio(`[value="${before}"]`)).toBeChecked()
  await expect(radio(`[value="${before}"]`)).toBeFocused()
})
