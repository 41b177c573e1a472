import { expect, test } from '../fixture.ts'

test('after a sign-out in another tab the same member finds what was typed, and nothing was sent', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, refusals: true })
  await page.goto(`/report/${bea.id}`)
  await page.getByLabel('In your own words').fill('She asked for money')
  const other = await page.context().newPage()
  await other.goto('/notifications')
  await other.getByRole('banner').getByRole('button', { name: 'Signout' }).click()
  await expect(other).toHaveURL('/')
  // What the browser has written to its disk by then it clears here too, at the word of the sign-out.
  await page.evaluate(() => sessionStorage.clear())
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Freport%2F/)
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(ann.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByLabel('In your own words')).toHaveValue('She asked for money')
  await expect(page.getByRole('heading', { name: 'Thank you' })).toHaveCount(0)
})
