import type { Page } from 'playwright'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'

const EMOJI = '🙂'

/** More than a form may bring, once a browser has encoded it. */
const PASTED = EMOJI.repeat(30_000)
const SHORTEN = 'This is too long to be sent. Shorten it and try again.'

async function twoMatched(world: World) {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  return [ann, bea] as const
}

test('what the server takes is not cut off, and what is too long stays to be shortened', async ({ world, open }) => {
  test.setTimeout(120_000)
  const [ann, bea] = await twoMatched(world)
  const page = await open({ as: ann })
  await page.goto('/profile/edit?section=about')
  const about = page.getByRole('dialog', { name: 'About you', exact: true })
  await about.getByLabel('Bio').fill(EMOJI.repeat(500))
  await expect(about.getByText('500 / 500')).toBeVisible()
  await about.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile updated ✅')).toBeVisible()
  await page.goto(`/chat/${bea.id}`)
  const box = page.getByLabel('Message to Bea')
  await box.fill(EMOJI.repeat(4_001))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('A message has at most 4,000 characters.')).toBeVisible()
  await expect(box).toHaveValue(EMOJI.repeat(4_001))
  await box.fill(EMOJI.repeat(4_000))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('A message has at most 4,000 characters.')).toHaveCount(0)
  await expect(box).toHaveValue('')
  await page.reload()
  await expect(page.getByText(EMOJI.repeat(4_000))).toBeVisible()

  await test.step('a search that is too long to be sent stays, and says so', async () => {
    await page.goto('/chat')
    const search = page.getByRole('searchbox')
    await search.fill('x'.repeat(30_000))
    await search.press('Enter')
    await expect(page.getByRole('status').getByText(SHORTEN)).toBeVisible()
    await expect(search).toHaveValue('x'.repeat(30_000))
  })
  await test.step('a field that makes its form too long says so beside itself, and nothing is sent', () =>
    expectStopped(page, bea))
})

async function expectStopped(page: Page, bea: Person): Promise<void> {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  for (const [path, label, button, most] of [
    ['/profile/edit?section=about', 'Bio', 'Save about you', '500'],
    [`/report/${bea.id}`, 'In your own words', 'Send report', '1,000'],
  ] as const) {
    await page.goto(path)
    const box = page.getByLabel(label)
    await box.fill(PASTED)
    await page.getByRole('button', { name: button }).click()
    await expect(box).toBeFocused()
    await expect(box).toHaveAccessibleDescription(new RegExp(`Use at most ${most} characters.`))
    expect([await box.inputValue(), sent]).toEqual([PASTED, []])
    await box.fill('Short enough')
    await expect(box).not.toHaveAccessibleDescription(/Use at most/)
  }
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you for telling us')).toBeVisible()
}

test('a form of a visitor that is too long to be sent stays as well, and says so', async ({ open }) => {
  const visitor = await open()
  for (const path of ['/login', '/signup']) {
    await visitor.goto(path)
    await visitor.locator('[name=email]').evaluate((box: HTMLInputElement) => {
      box.value = 'x'.repeat(1_100_000)
      if (box.form) box.form.noValidate = true
      box.form?.requestSubmit()
    })
    await expect(visitor.getByRole('status').getByText(SHORTEN)).toBeVisible()
    await expect(visitor).toHaveURL(new RegExp(path))
  }
})

const typedInto = (page: Page, name: string) => page.locator(`[name=${name}]`).first().inputValue()

test('without script, a form that is too long comes back with all that was typed, to be shortened', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  const [ann, bea] = await twoMatched(world)
  const page = await open({ as: ann, script: false, refusals: true })
  const statuses: number[] = []
  page.on('response', (answer) => answer.request().method() === 'POST' && statuses.push(answer.status()))
  for (const [path, name, button] of [
    ['/profile/edit?section=about', 'bio', 'Save about you'],
    [`/report/${bea.id}`, 'words', 'Send report'],
    [`/chat/${bea.id}`, 'text', 'Send'],
  ] as const) {
    await page.goto(path)
    if (name === 'words') await page.locator('input[name=quick]').first().check({ force: true })
    await page.locator(`[name=${name}]`).fill(PASTED)
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByRole('alert').getByText(SHORTEN)).toBeVisible()
    expect([path, statuses.pop(), await typedInto(page, name)]).toEqual([path, 413, PASTED])
    if (name === 'words') await expect(page.locator('input[name=quick]').first()).toBeChecked()
    await page.locator(`[name=${name}]`).fill('Short enough')
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByText(SHORTEN)).toHaveCount(0)
    expect(statuses.pop()).toBe(302)
  }

  await test.step('more than is read at all leads to a page that says to go back, where the text still is', () =>
    goBackToText(page, bea))
})

async function goBackToText(page: Page, bea: Person): Promise<void> {
  await page.goto(`/report/${bea.id}`)
  const long = EMOJI.repeat(400_000)
  await page.locator('[name=words]').fill(long)
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('heading', { name: 'This is too long to be sent' })).toBeVisible()
  await expect(page.getByText('Go back and shorten it')).toBeVisible()
  await page.goBack()
  await expect.poll(async () => (await typedInto(page, 'words')) === long).toBe(true)
}
