import type { Page } from 'playwright'
import type { Person } from '../../support/world-people.ts'
import { expect, test } from '../fixture.ts'

const BACK = 'What you typed here before is back, and not sent yet.'
const DATA = /\.data(\?|$)/

/** The browser keeps it a moment after the last key. */
const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)

/** As a page does that hears of something new: it gets the id of another command. */
async function readAgain(page: Page): Promise<void> {
  const command = page.locator('main input[name=commandId]')
  const before = await command.inputValue()
  await page.evaluate(() => window.__remixRouter.revalidate())
  await expect(command).not.toHaveValue(before)
}

async function signIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

test('what is typed comes back with a reload, says so, and can be thrown away', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ann'), phone: true })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Ten careful minutes')
  await kept(page, 'Ten careful minutes')
  await page.reload()
  await expect(page.getByLabel('Bio')).toHaveValue('Ten careful minutes')
  await expect(page.getByText(BACK)).toBeVisible()
  await page.getByRole('button', { name: 'Throw it away' }).click()
  await expect(page.getByLabel('Bio')).not.toHaveValue('Ten careful minutes')
  await expect(page.getByText(BACK)).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Bio')).not.toHaveValue('Ten careful minutes')
})

test('what is back in a part of the page that folds is in view', async ({ world, open }) => {
  const page = await open({ as: await world.member('Cleo'), phone: true })
  await page.goto('/discover')
  const [question, town] = [page.getByText('Where are you, roughly?'), page.getByLabel('Your town')]
  if (!(await town.isVisible())) await question.click()
  await town.fill('Tromsø')
  await kept(page, 'Tromsø')
  await world.member('Dag')
  await world.settled()
  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(town).toBeVisible()
  await expect(town).toHaveValue('Tromsø')
})

test('what was saved is kept no more', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea'), phone: true })
  await page.goto('/profile/edit?section=place')
  await page.getByLabel('City').fill('Porto')
  await kept(page, 'Porto')
  await page.getByRole('button', { name: 'Save where you live' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Porto')
  await page.goto('/profile/edit?section=place')
  await expect(page.getByLabel('City')).toHaveValue('Porto')
  await expect(page.getByText(BACK)).toHaveCount(0)
})

test('after a session that ended the same member finds what was typed, and nothing was sent', async ({
  world,
  open,
}) => {
  const [cid, dot] = [await world.member('Cid'), await world.member('Dot')]
  const page = await open({ as: cid, phone: true, refusals: true })
  await page.goto(`/report/${dot.id}`)
  await page.getByLabel('In your own words').fill('She asked for money')
  await page.getByLabel('Asks for money or sells something').check()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Freport%2F/)
  await expect(page.getByText('Log in to go on.')).toBeVisible()
  await signIn(page, cid)
  await expect(page.getByLabel('In your own words')).toHaveValue('She asked for money')
  await expect(page.getByLabel('Asks for money or sells something')).toBeChecked()
  await expect(page.getByText(BACK)).toBeVisible()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('another member who signs in in the same tab finds nothing of it, nor does the tab', async ({ world, open }) => {
  const [eve, fay, gus] = [await world.member('Eve'), await world.member('Fay'), await world.member('Gus')]
  const page = await open({ as: eve, phone: true, refusals: true })
  await page.goto(`/report/${gus.id}`)
  await page.getByLabel('In your own words').fill('Not for Fay')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, fay)
  await expect(page.getByLabel('In your own words')).toHaveValue('')
  await expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Not for Fay')
})

test('a sign-out leaves nothing that was typed in the tab', async ({ world, open }) => {
  const [hal, gil] = [await world.member('Hal'), await world.member('Gil')]
  const page = await open({ as: hal })
  await page.goto(`/report/${gil.id}`)
  await page.getByLabel('In your own words').fill('Mine alone')
  await kept(page, 'Mine alone')
  await page.getByLabel('In your own words').pressSequentially('!')
  await page.getByRole('banner').getByRole('button', { name: 'Signout' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Mine alone')
})

test('a password is never kept, also while it is shown', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ida') })
  await page.goto('/settings/delete')
  await page.getByRole('textbox', { name: 'Password' }).fill('a secret of mine')
  await page.getByRole('button', { name: 'Show password' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill('a secret of mine, shown')
  await page.reload()
  expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('a secret')
})

test('a form that was sent without network offers Retry until the network is back, and then still', async ({
  world,
  open,
}) => {
  const [lea, max] = [await world.member('Lea'), await world.member('Max')]
  const page = await open({ as: lea, phone: true, refusals: true, ahead: true })
  await page.goto(`/report/${max.id}`)
  await page.getByLabel('In your own words').fill('He asked for money')
  await kept(page, 'He asked for money')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send report' }).click()
  const retry = page.getByRole('button', { name: 'Retry' })
  await expect(retry).toBeVisible()
  const isBack = page.evaluate(
    () => new Promise((done) => addEventListener('online', () => requestAnimationFrame(done))),
  )
  await page.context().setOffline(false)
  await isBack
  await retry.click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

for (const [what, status, sentence] of [
  ['fails', 502, 'Something went wrong on our side.'],
  ['is throttled', 429, 'A little slower, please.'],
  ['is not allowed', 403, 'This is not available to you.'],
] as const) {
  test(`a form that ${what} keeps its page and offers to be sent again, by the same command`, async ({
    world,
    open,
  }) => {
    const [jon, kim] = [await world.member('Jon'), await world.member('Kim')]
    const page = await open({ as: jon, phone: true, refusals: true })
    await page.goto(`/report/${kim.id}`)
    await page.getByLabel('In your own words').fill('She asked for money')
    const sent: (string | null)[] = []
    await page.route(DATA, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.push(route.request().postData())
      const body = `[{"_1":2},"error",["ErrorResponse",3],{"_4":5,"_6":7,"_8":9},"status",${status},"statusText","","data","${sentence}"]`
      return route.fulfill({ status, contentType: 'text/x-script', body })
    })
    await page.getByRole('button', { name: 'Send report' }).click()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByLabel('In your own words')).toHaveValue('She asked for money')
    await page.unroute(DATA)
    await readAgain(page)
    const again = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Retry' }).click()
    sent.push((await again).postData())
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    expect(sent[0]).toBe(sent[1])
  })
}
