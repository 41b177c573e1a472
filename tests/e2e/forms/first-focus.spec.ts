import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const row = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${name}`) })

/** Opens a sheet by its row and Enter. */
async function openByKey(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path)
  await row(page, name).focus()
  await page.keyboard.press('Enter')
}

test('a sheet begins at its first field, and closes by Escape and by its button', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ann') })
  await openByKey(page, '/profile/edit', 'About you')
  await expect(page.getByLabel('Bio')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row(page, 'About you')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Bio')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('link', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('of several choices of one the sheet begins at the chosen one', async ({ world, open }) => {
  const bea = await world.member('Bea')
  await world.edit(bea, { visibilityMode: 'limited' })
  await world.settled()
  const page = await open({ as: bea })
  await openByKey(page, '/profile/privacy', 'Profile visibility')
  await expect(page.locator('[name=visibilityMode]:checked')).toBeFocused()
  await expect(page.locator('[name=visibilityMode]:checked')).toHaveValue('limited')
})

test('a dialog without fields begins at its title, and so does one that asks before something grave', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Cid') })
  const title = (name: string) => page.getByRole('dialog').getByRole('heading', { name })
  for (const [path, name] of [
    ['/profile?show=liked', 'Liked'],
    ['/settings/delete?confirm=deactivate', 'Deactivate account'],
    ['/settings/delete?confirm=delete', 'Delete account'],
  ] as const) {
    await page.goto(path)
    await expect(title(name)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Close' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('the dialog of a forgotten password begins at the address', async ({ open }) => {
  const page = await open({ phone: true })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).press('Enter')
  await expect(page.getByRole('dialog').getByLabel('E-mail')).toBeFocused()
})

test('the button that closes a sheet stays beside its title, also in a narrow window', async ({ world, open }) => {
  const page = await open({ as: await world.member('Dot'), phone: true })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/profile/edit?section=facts')
  const [title, close] = [page.getByRole('dialog').locator('h2'), page.getByRole('link', { name: 'Close' })]
  const [words, button] = [(await title.boundingBox())!, (await close.boundingBox())!]
  expect(button.y).toBeLessThan(words.y + words.height)
  expect(button.x).toBeGreaterThanOrEqual(words.x + words.width)
})

test('a voice intro begins at its recorder once that is there, in place of the file', async ({ world, open }) => {
  const page = await open({ as: await world.member('Hal') })
  await page.route('**/assets/new-voice-*.js', async (route) => {
    await expect(page.getByLabel('Choose a recording')).toBeFocused()
    await route.continue()
  })
  await openByKey(page, '/profile/edit', 'Voice intro')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Record', exact: true })).toBeFocused()
})
