import { expect, test } from '../fixture.ts'

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a login that is sent empty marks both of its fields, each with its own sentence`, async ({ open }) => {
    const page = await open({ phone: true, script, refusals: true })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    for (const [label, words] of [
      ['E-mail', 'Enter your e-mail address.'],
      ['Password', 'Enter your password.'],
    ] as const) {
      const field = page.getByRole('textbox', { name: label, exact: true })
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(words)
      await expect(page.getByRole('alert').getByRole('link', { name: words })).toBeVisible()
    }
  })

  test(`${how}: what is wrong with deleting the account stands in its own section`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Ann'), phone: true, script, refusals: true })
    await page.goto('/settings/delete')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Permanently Delete' }) })
    await expect(section.getByRole('alert')).toContainText('Please enter your password.')
    await expect(section.getByRole('alert')).toBeInViewport()
  })
}
