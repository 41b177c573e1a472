import { codeOf } from '../support/newcomers.ts'
import type { World } from '../support/world.ts'
import { expect, test } from './fixture.ts'
import {
  addPhotos,
  fillBasics,
  fillInterests,
  goOn,
  type Newcomer,
  PASSWORD,
  signUp,
  step,
  verifyEmail,
} from './pages/sign-up.ts'

function someone(world: World, firstName: string): Newcomer {
  const email = `${firstName.toLowerCase()}.${Date.now()}@example.com`
  return { email, firstName, readCode: () => codeOf(world, email) }
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`a visitor signs up, registers in six steps and comes back later, ${how}`, async ({ world, open }) => {
    const ada = someone(world, script ? 'Ada' : 'Eve')
    const page = await open({ phone: true, script })
    await signUp(page, ada, script)
    const later = await open({ script })
    await later.goto('/login')
    await later.getByLabel('E-mail').fill(` ${ada.email}`)
    await later.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await later.getByLabel('Remember Me').check()
    await later.getByRole('button', { name: 'Log in' }).click()
    await later.waitForURL(`${world.url}/`)
    await later.goto('/login')
    await later.waitForURL('**/discover')
  })

  test(`going back and reloading keep every answer, ${how}`, async ({ world, open }) => {
    const page = await open({ script })
    await verifyEmail(page, someone(world, `Back${script}`))
    await fillBasics(page, { firstName: 'Bo' })
    await goOn(page)
    await step(page, 2)
    await page.getByLabel('How far away, in miles').fill('120')
    await page.getByRole('button', { name: 'Back' }).click()
    await step(page, 1)
    await page.reload()
    await expect(page.getByLabel('First name')).toHaveValue('Bo')
    await expect(page.getByLabel('Date of birth')).toHaveValue('1994-05-17')
    await expect(page.getByLabel('Password optional', { exact: true })).toHaveValue('')
    await goOn(page)
    await expect(page.getByLabel('How far away, in miles')).toHaveValue('120')
    await goOn(page)
    await fillInterests(page, ['Music'])
    await goOn(page)
    await addPhotos(page, script)
    await page.getByRole('listitem', { name: 'Photo 2' }).getByRole('radio').check()
    await goOn(page)
    await step(page, 5)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('listitem', { name: 'Photo 2' }).getByRole('radio')).toBeChecked()
    await page.getByRole('button', { name: 'Remove Photo 2' }).click()
    await expect(page.getByRole('listitem', { name: 'Photo 2' })).toHaveCount(0)
    await expect(page.getByRole('listitem', { name: 'Photo 1' }).getByRole('radio')).toBeChecked()
  })
}

test('a sixth interest cannot be chosen', async ({ world, open }) => {
  const page = await open()
  await verifyEmail(page, someone(world, 'Six'))
  await fillBasics(page, { firstName: 'Six' })
  await goOn(page)
  await step(page, 2)
  await goOn(page)
  await fillInterests(page, ['Music', 'Travel', 'Movies', 'Foodie', 'Sports'])
  await expect(page.getByRole('checkbox', { name: 'Art', exact: true })).toBeDisabled()
})

test('a date under eighteen and two different passwords are reported before anything is sent', async ({
  world,
  open,
}) => {
  const page = await open()
  await verifyEmail(page, someone(world, 'Kim'))
  await fillBasics(page, { firstName: 'Kim' })
  await page.getByLabel('Date of birth').fill(`${new Date().getUTCFullYear() - 10}-01-01`)
  await page.getByLabel('Confirm password').fill('something else')
  await goOn(page)
  await expect(page.locator('#dob-error')).toHaveText('Invalid date of birth. Please provide a valid date (18+).')
  await expect(page.locator('#confirm-error')).toHaveText('Passwords do not match.')
  await page.getByLabel('Date of birth').fill('1990-01-01')
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await goOn(page)
  await step(page, 2)
})

test('a voice intro is recorded, heard, and deleted', async ({ world, open }) => {
  const page = await open({ phone: true })
  await verifyEmail(page, someone(world, 'Vox'))
  await fillBasics(page, { firstName: 'Vox' })
  await goOn(page)
  await step(page, 2)
  await goOn(page)
  await fillInterests(page, ['Music'])
  await goOn(page)
  await addPhotos(page, true)
  await goOn(page)
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByRole('timer')).toHaveText('1 / 60 s')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByLabel('Your voice intro')).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()
})
