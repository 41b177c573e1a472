import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const BACK = 'What you typed here before is back, and not sent yet.'

/** The page works, and the script that keeps what is typed comes once it is let. */
async function keepingWaits(page: Page): Promise<() => void> {
  let letCome = () => {}
  const comes = new Promise<void>((resolve) => {
    letCome = resolve
  })
  await page.route(/\/keeping-[\w-]+\.js$/, async (route) => {
    await comes
    await route.continue()
  })
  return letCome
}

/** The browser keeps it a moment after the last key. */
const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)

test('what is typed before the script that keeps it is there is kept once it is', async ({ world, open }) => {
  const [amy, ben] = [await world.member('Amy'), await world.member('Ben')]
  const page = await open({ as: amy, phone: true })
  const letCome = await keepingWaits(page)
  await page.goto(`/report/${ben.id}`)
  await page.getByLabel('In your own words').fill('He asked for money')
  letCome()
  await kept(page, 'He asked for money')
})

test('what is typed and left before that script is there is back where it was typed', async ({ world, open }) => {
  const page = await open({ as: await world.member('Eli'), phone: true })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('An older text')
  await kept(page, 'An older text')
  const letCome = await keepingWaits(page)
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Ten careful minutes')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Back to profile' }).click()
  await expect(page).toHaveURL('/profile')
  letCome()
  await kept(page, 'Ten careful minutes')
  await page.goto('/profile/edit?section=about')
  await expect(page.getByLabel('Bio')).toHaveValue('Ten careful minutes')
  await expect(page.getByText(BACK)).toBeVisible()
})

test('what is typed and saved before that script is there is not taken for unsent', async ({ world, open }) => {
  const page = await open({ as: await world.member('Fay'), phone: true })
  const letCome = await keepingWaits(page)
  await page.goto('/profile/edit?section=place')
  await page.getByLabel('City').fill('Porto')
  await page.getByRole('button', { name: 'Save where you live' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  const here = page.waitForResponse(/\/keeping-[\w-]+\.js$/)
  letCome()
  await (await here).finished()
  await page.getByRole('link', { name: /^About you/ }).click()
  await page.getByLabel('Bio').fill('And a text that is kept')
  await kept(page, 'And a text that is kept')
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Porto')
})
