import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const WORDS = 'She asked for money'
const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)

/** A report that is typed, and not sent. */
async function typeReport(page: Page, about: string): Promise<void> {
  await page.goto(`/report/${about}`)
  await page.getByLabel('In your own words').fill(WORDS)
  await kept(page, WORDS)
}

test('who asks to delete their account, and does not, and who comes back to it, keep their drafts', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, refusals: true })
  await typeReport(page, bea.id)
  await page.goto('/settings/delete')
  await page.getByRole('textbox', { name: 'Password' }).fill(ann.password)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/report/${bea.id}`)
  await expect(page.getByLabel('In your own words')).toHaveValue(WORDS)
  await world.account(ann, 'Deactivate')
  await world.settled()
  await page.goto('/settings/delete')
  await expect(page.getByText('Welcome back')).toBeVisible()
  await page.goto(`/report/${bea.id}`)
  await expect(page.getByLabel('In your own words')).toHaveValue(WORDS)
})

test('who deletes their account leaves no draft', async ({ world, open }) => {
  const [cid, dot] = [await world.member('Cid'), await world.member('Dot')]
  const page = await open({ as: cid, refusals: true })
  await typeReport(page, dot.id)
  await page.goto('/settings/delete')
  await page.getByRole('textbox', { name: 'Password' }).fill(cid.password)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('dialog').getByRole('textbox').first().fill('DELETE')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).click()
  await page.waitForURL(/goodbye/)
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))).toEqual([])
})

test('an address that is typed to sign up is not kept for who comes next', async ({ open }) => {
  const page = await open()
  await page.goto('/signup')
  // What keeps drafts is there.
  await expect(page.locator('svg.visually-hidden')).toBeAttached()
  await page.getByLabel('E-mail').fill('somebody@example.com')
  await page.goto('/privacy')
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('somebody')
})

for (const script of [true, false])
  test(`with${script ? '' : 'out'} script what was sent while the account was deactivated is back once it is active`, async ({
    world,
    open,
  }) => {
    const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
    const page = await open({ as: eve, script, refusals: true })
    if (script) await page.context().routeWebSocket(/\/realtime$/, () => undefined)
    await page.goto(`/report/${fay.id}`)
    await page.getByLabel('In your own words').fill(WORDS)
    if (script) await kept(page, WORDS)
    await world.account(eve, 'Deactivate')
    await world.settled()
    await page.getByRole('button', { name: 'Send report' }).click()
    await page.waitForURL(/settings\/delete/)
    if (!script) await page.getByRole('button', { name: 'Reactivate' }).click()
    await expect(page.getByText('Welcome back')).toBeVisible()
    await page.goto(`/report/${fay.id}`)
    await expect(page.getByLabel('In your own words')).toHaveValue(WORDS)
  })
