import type { Locator } from 'playwright'
import { expect, test } from '../fixture.ts'

const looks = (control: Locator) =>
  control.evaluate((element) => {
    const { backgroundColor, borderColor } = getComputedStyle(element)
    return { backgroundColor, borderColor }
  })

test('a box that is not ticked has the ground and the line of a field, also in dark', async ({ open }) => {
  const page = await open({ phone: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/login')
  const box = page.getByLabel('Remember Me')
  await expect(box).toHaveCSS('appearance', 'none')
  expect(await looks(box)).toEqual(await looks(page.getByLabel('E-mail')))
  await box.check()
  await expect(box).not.toHaveCSS('appearance', 'none')
})
