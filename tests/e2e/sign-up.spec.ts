import type { Page } from 'playwright'
import { PROOF_COOKIE } from '../../app/request/session-cookie.server.ts'
import { codeOf } from '../support/newcomers.ts'
import type { World } from '../support/world.ts'
import { expect, hostCookie, test } from './fixture.ts'
import { registering } from './pages/cast.ts'
import {
  addPhotos,
  createAccount,
  fillBasics,
  fillInterests,
  goOn,
  type Newcomer,
  PASSWORD,
  picture,
  step,
  verifyEmail,
} from './pages/sign-up.ts'

const SIX_STEPS_MS = 120_000
const KINDS = 'Unsupported file type. Choose a JPEG, PNG, WebP or GIF picture, or an MP4, WebM or QuickTime video.'

function someone(world: World, firstName: string): Newcomer {
  const email = `${firstName.toLowerCase()}.${Date.now()}@example.com`
  return { email, firstName, readCode: () => codeOf(world, email) }
}

const photo = (page: Page, number: number) => page.getByRole('listitem', { name: `Photo ${number}` })
const back = (page: Page) => page.getByRole('button', { name: 'Back' }).click()

for (const script of [true, false])
  test(`a visitor signs up in six steps that keep every answer, and comes back later, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    test.setTimeout(SIX_STEPS_MS)
    const ada = someone(world, `Ada${script}`)
    const page = await open({ phone: true, script, refusals: true })
    await verifyEmail(page, ada)
    await fillBasics(page, ada)
    await test.step('going back and reloading keep what was answered', () => expectKeptAnswers(page, ada.firstName))
    await fillInterests(page, ['Music'])
    await goOn(page)
    await step(page, 4)
    await test.step('photos have places and an order, and one of them is the main one', () =>
      expectPlacesAndOrder(page, script))
    await test.step('the main photo stays the one that was chosen, until it is removed', async () => {
      await expect(photo(page, 2).getByRole('radio')).toBeChecked()
      await page.getByRole('button', { name: 'Remove Photo 2' }).click()
      await expect(photo(page, 2)).toHaveCount(0)
      await expect(photo(page, 1).getByRole('radio')).toBeChecked()
    })
    await test.step('a file that is refused is named, with the kinds that are taken', () =>
      expectKindsNamed(page, script))
    await goOn(page)
    await step(page, 5)
    await goOn(page)
    await step(page, 6)
    await createAccount(page)
    await test.step('a new member is welcomed once', async () => {
      const welcome = page.getByText(`Welcome, ${ada.firstName}.`, { exact: false })
      await expect(welcome).toBeVisible()
      await page.getByRole('link', { name: 'Start', exact: true }).click()
      await expect(welcome).toHaveCount(0)
    })
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

/** From the first step to the third. */
async function expectKeptAnswers(page: Page, firstName: string): Promise<void> {
  await goOn(page)
  await step(page, 2)
  const miles = page.getByLabel('How far away, in miles')
  await miles.fill('120')
  await back(page)
  await step(page, 1)
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue(firstName)
  await expect(page.getByLabel('Date of birth')).toHaveValue('1994-05-17')
  await expect(page.getByLabel('Password optional', { exact: true })).toHaveValue('')
  await goOn(page)
  await expect(miles).toHaveValue('120')
  await goOn(page)
  await step(page, 3)
}

/** To the fifth step and back to the photos. */
async function expectPlacesAndOrder(page: Page, script: boolean): Promise<void> {
  const places = page.locator('.upload-empty')
  await expect(page.getByRole('list', { name: 'What makes good photos' })).toBeVisible()
  await expect(places).toHaveCount(6)
  await addPhotos(page, script)
  await expect(places).toHaveCount(4)
  await expect(page.locator('.uploads').getByText('Main', { exact: true }).filter({ visible: true })).toHaveCount(1)
  expect(await page.locator('.uploads').getByText('Avatar').count()).toBe(0)
  const sources = () =>
    page.locator('.upload img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
  const before = await sources()
  await page.getByRole('button', { name: 'Move Photo 2 forward' }).click()
  await expect.poll(sources).toEqual([...before].reverse())
  await photo(page, 2).getByRole('radio').check()
  await goOn(page)
  await step(page, 5)
  await back(page)
  await expect.poll(sources).toEqual([...before].reverse())
}

async function expectKindsNamed(page: Page, script: boolean): Promise<void> {
  const unread = [
    { name: 'my notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture at all') },
    { name: 'beach.heic', mimeType: 'image/heic', buffer: Buffer.from('of a kind that is not read') },
  ]
  await page.locator('input[name=file]').setInputFiles([...unread, await picture('fine.jpg', 90)])
  if (!script) await page.getByRole('button', { name: 'Upload' }).click()
  // The plain form names one at a time.
  for (const { name } of script ? unread : unread.slice(0, 1))
    await expect(page.locator('.field-error').filter({ hasText: `${name}: ${KINDS}` })).toBeVisible()
  await expect(photo(page, 2)).toBeVisible()
}

test('a voice intro is recorded, heard, and deleted', async ({ world, open }) => {
  const page = await open({ phone: true })
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  await page.goto('/register?step=5')
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByRole('timer')).toHaveText('1 / 60 s')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByLabel('Your voice intro')).toBeVisible()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()
})
