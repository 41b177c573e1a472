import { expect, test } from '../fixture.ts'
import { BACK, kept } from '../pages/kept.ts'

test('words that are added or typed before the script that keeps them is there are kept once it is', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann'), phone: true })
  let letScriptCome = () => {}
  const comes = new Promise<void>((resolve) => {
    letScriptCome = resolve
  })
  await page.route(/\/keeping-[\w-]+\.js$/, async (route) => {
    await comes
    await route.continue()
  })
  await page.goto('/profile/edit?section=tastes')
  const own = page.getByLabel('Add your own to your likes')
  await own.fill('Sailing')
  await own.press('Enter')
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await own.fill('Night trains')
  letScriptCome()
  await kept(page, 'Sailing')
  await kept(page, 'Night trains')
  await page.unroute(/\/keeping-[\w-]+\.js$/)
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await expect(own).toHaveValue('Night trains')
  await expect(page.getByText(BACK)).toBeVisible()
})

test('a word that is added by its button leaves the focus in its field', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea') })
  await page.goto('/profile/edit?section=tastes')
  const own = page.getByLabel('Add your own to your likes')
  const add = own.locator('xpath=..').getByRole('button', { name: 'Add' })
  await own.fill('Sailing')
  await add.click()
  await expect(page.getByRole('checkbox', { name: 'Sailing' })).toBeChecked()
  await expect(own).toBeFocused()
  await own.fill('Night trains')
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('checkbox', { name: 'Night trains' })).toBeChecked()
  await expect(own).toBeFocused()
})
