import { expect, test } from './fixture.ts'

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: Buzz Mode stays after a reload`, async ({ open }) => {
    const page = await open({ phone: true, script })
    const root = page.locator('html')
    await page.goto('/privacy')
    await page.getByRole('button', { name: 'Buzz Mode' }).click()
    await expect(root).toHaveAttribute('data-theme', 'buzz')
    expect(new URL(page.url()).pathname).toBe('/privacy')
    await page.waitForLoadState('networkidle')
    await page.reload()
    await expect(root).toHaveAttribute('data-theme', 'buzz')
    await page.getByRole('button', { name: 'Buzz Mode' }).click()
    await expect(root).not.toHaveAttribute('data-theme')
  })
}
