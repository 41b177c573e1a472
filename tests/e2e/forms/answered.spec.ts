import { expect, test } from '../fixture.ts'

test('a report that has its reason is no longer marked as wrong, and the next one without is', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.settled()
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.goto(`/report/${bea.id}`)
  await page.getByRole('button', { name: 'Send report' }).click()
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('A reason is required.')
  await page.getByRole('radio', { name: 'May be under 18' }).check()
  await expect(page.getByText('A reason is required.')).toHaveCount(0)
  await expect(page.locator('.field-invalid')).toHaveCount(0)
  await expect(page.getByRole('radio', { name: 'May be under 18' })).toBeFocused()
})
