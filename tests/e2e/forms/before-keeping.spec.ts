import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const DATA = /\.data(\?|$)/
const BACK = 'What you typed here before is back, and not sent yet.'

/** A promise, and what fulfils it. */
function later() {
  let come = () => {}
  const comes = new Promise<void>((resolve) => {
    come = resolve
  })
  return { come, comes }
}

/** The page works, and the script that keeps what is typed comes once it is let. */
async function keepingWaits(page: Page): Promise<() => void> {
  const { come, comes } = later()
  await page.route(/\/keeping-[\w-]+\.js$/, async (route) => {
    await comes
    await route.continue()
  })
  return come
}

/** The browser keeps it a moment after the last key. */
const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)

test('what is typed before the script that keeps it is there is kept once it is', async ({ world, open }) => {
  const [amy, ben] = [await world.member('Amy'), await world.member('Ben')]
  const page = await open({ as: amy, phone: true })
  const letCome = await keepingWaits(page)
  await page.goto(`/report/${ben.id}`)
  await page.getByLabel('In your own words').fill('He asked for money')
  letCome()
  await kept(page, 'He asked for money')
})

test('ages that are set and left before that script is there are back', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ina'), phone: true })
  const letCome = await keepingWaits(page)
  await page.goto('/profile/edit?section=meet')
  await page.getByLabel('From', { exact: true }).fill('31')
  await page.keyboard.press('Escape')
  letCome()
  await kept(page, '"ageMin":["31"]')
  await page.goto('/profile/edit?section=meet')
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('31')
})

test('what is typed and left before that script is there is back where it was typed', async ({ world, open }) => {
  const page = await open({ as: await world.member('Eli'), phone: true })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('An older text')
  await kept(page, 'An older text')
  const letCome = await keepingWaits(page)
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Ten careful minutes')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Back to profile' }).click()
  await expect(page).toHaveURL('/profile')
  letCome()
  await kept(page, 'Ten careful minutes')
  await page.goto('/profile/edit?section=about')
  await expect(page.getByLabel('Bio')).toHaveValue('Ten careful minutes')
  await expect(page.getByText(BACK)).toBeVisible()
})

for (const [when, isAnswered] of [
  ['before that script is there', true],
  ['while that script comes', false],
] as const)
  test(`what is sent and done ${when} is not taken for unsent`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Fay'), phone: true })
    const letCome = await keepingWaits(page)
    const answer = later()
    await page.route(DATA, async (route) => {
      if (route.request().method() === 'POST') await answer.comes
      await route.continue()
    })
    await page.goto('/profile/edit?section=place')
    // The server tidies it, so that what is sent is not what comes back.
    await page.getByLabel('City').fill('Porto  do Sul')
    await page.getByRole('button', { name: 'Save where you live' }).click()
    const done = async () => {
      answer.come()
      await expect(page.getByText('Profile updated ✅')).toBeVisible()
    }
    if (isAnswered) await done()
    letCome()
    if (!isAnswered) {
      await kept(page, 'Porto')
      await done()
    }
    await page.getByRole('link', { name: /^About you/ }).click()
    await page.getByLabel('Bio').fill('And a text that is kept')
    await kept(page, 'And a text that is kept')
    expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('Porto')
  })

/** What is sent before the script that keeps it is there gets no answer; answers what lets that come. */
async function failEarly(page: Page): Promise<() => void> {
  const letCome = await keepingWaits(page)
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill('Ten careful minutes')
  await page.route(DATA, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText('Network error. Please check your connection.').first()).toBeVisible()
  return letCome
}

test('what was refused before that script is there, and left, is back', async ({ world, open }) => {
  const page = await open({ as: await world.member('Gil'), phone: true, refusals: true })
  const letCome = await failEarly(page)
  await page.keyboard.press('Escape')
  letCome()
  await kept(page, 'Ten careful minutes')
})

test('what failed before that script is there can be sent again once it is', async ({ world, open }) => {
  const page = await open({ as: await world.member('Hal'), phone: true, refusals: true })
  const letCome = await failEarly(page)
  await page.unroute(DATA)
  letCome()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
})
