import { codeOf } from '../../support/newcomers.ts'
import { expect, test } from '../fixture.ts'
import { waitsUntilAwake } from '../pages/awake.ts'
import { fillBasics, goOn, picture, step, verifyEmail } from '../pages/sign-up.ts'

const OTHER = 'This page was opened for another address. Nothing was sent.'

for (const script of [true, false])
  test(`with${script ? '' : 'out'} script a page of one sign-up sends nothing as another one in the same browser`, async ({
    world,
    open,
  }) => {
    const page = await open({ script, refusals: true })
    const [anns, beas] = ['ann', 'bea'].map((name) => `${name}.${Date.now()}.${script}@example.com`) as [string, string]
    await verifyEmail(page, { email: anns, firstName: 'Ann', readCode: () => codeOf(world, anns) })
    const second = await page.context().newPage()
    const other = script ? waitsUntilAwake(second) : second
    await verifyEmail(other, { email: beas, firstName: 'Bea', readCode: () => codeOf(world, beas) })
    await fillBasics(other, { firstName: 'Bea' })
    await goOn(other)
    await step(other, 2)
    const draft = script ? page.waitForResponse(/\/register\/draft/) : null
    await fillBasics(page, { firstName: 'Ann' })
    await page.getByLabel('Last name').fill('Ofherown')
    if (draft) expect((await draft).status()).toBe(409)
    await goOn(page)
    await expect(page.getByText(OTHER).first()).toBeVisible()
    // The page is that of the sign-up under way, with nothing of the first one.
    await expect(page.getByLabel('First name')).toHaveValue('Bea')
    await expect(page.getByLabel('Last name')).toHaveValue('Lovelace')
    await expect(page.locator('[name=password]')).toHaveValue('')
    await other.goto('/register?step=1')
    await expect(other.getByLabel('Last name')).toHaveValue('Lovelace')
    await goOn(page)
    await step(page, 2)
  })

test('a photo that is chosen on the page of another sign-up is not taken, and says why', async ({ world, open }) => {
  const page = await open({ refusals: true })
  const [anns, beas] = ['ann', 'bea'].map((name) => `${name}.${Date.now()}@example.com`) as [string, string]
  await verifyEmail(page, { email: anns, firstName: 'Ann', readCode: () => codeOf(world, anns) })
  await fillBasics(page, { firstName: 'Ann' })
  await goOn(page)
  await step(page, 2)
  await goOn(page)
  await step(page, 3)
  await page.getByRole('checkbox', { name: 'Music', exact: true }).check()
  await goOn(page)
  await step(page, 4)
  const other = waitsUntilAwake(await page.context().newPage())
  await verifyEmail(other, { email: beas, firstName: 'Bea', readCode: () => codeOf(world, beas) })
  await page.locator('input[name=file]').setInputFiles([await picture('hers.jpg', 40)])
  await expect(page.getByRole('status').getByText(OTHER)).toBeVisible()
  // The page is that of the other one, who has come to the first step.
  await step(page, 1)
  await expect(page.getByText('hers.jpg')).toHaveCount(0)
})
