import type { Page } from 'playwright'
import { codeOf } from '../../support/newcomers.ts'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'
import { fillBasics, fillInterests, goOn, PASSWORD, step, verifyEmail } from '../pages/sign-up.ts'

function someone(world: World, firstName: string) {
  const email = `${firstName.toLowerCase()}.${Date.now()}@example.com`
  return { email, firstName, readCode: () => codeOf(world, email) }
}

const password = (page: Page) => page.getByLabel('Password', { exact: true })

test('the wizard leads from step to step, with offers and choices that hold', async ({ world, open }) => {
  test.setTimeout(120_000)
  const page = await open({ phone: true })
  await verifyEmail(page, someone(world, 'Offer'))
  await fillBasics(page, { firstName: 'Offer' })
  await goOn(page)
  await test.step('the focus is on the heading of the next step', () =>
    expect(page.getByRole('heading', { name: 'Who you would like to meet' })).toBeFocused())
  await test.step('people about as old as the visitor are offered, within 50 miles', () => expectOffer(page))
  await goOn(page)
  await test.step('the focus is on the heading of the one after it', () =>
    expect(page.getByRole('heading', { name: 'What you enjoy' })).toBeFocused())
  await test.step('interests stand in groups', async () => {
    for (const [group, name] of [
      ['Outdoors', 'Hiking'],
      ['Food and drink', 'Wine'],
    ] as const)
      await expect(page.getByRole('group', { name: group }).getByRole('checkbox', { name })).toBeVisible()
  })
  await test.step('a chosen interest is marked, and moves none of the others', () => expectSteadyTiles(page))
  await test.step('five of any may be chosen, and a sixth cannot', async () => {
    for (const name of ['Board Games', 'Baking']) await page.getByRole('checkbox', { name, exact: true }).uncheck()
    await fillInterests(page, ['Hiking', 'Music', 'Movies', 'Foodie', 'Sports'])
    for (const name of ['Camping', 'Art'])
      await expect(page.getByRole('checkbox', { name, exact: true })).toBeDisabled()
  })
  await test.step('Back has the focus on the heading of the step before', async () => {
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(page.getByRole('heading', { name: 'Who you would like to meet' })).toBeFocused()
  })
})

async function expectOffer(page: Page): Promise<void> {
  const [from, to] = await Promise.all(
    ['From', 'to'].map((name) => page.getByRole('spinbutton', { name }).inputValue()),
  )
  expect(Number(to) - Number(from)).toBe(16)
  await expect(page.getByLabel('How far away, in miles')).toHaveValue('50')
}

async function expectSteadyTiles(page: Page): Promise<void> {
  const tiles = page.locator('.choices-chips .choice')
  /** From the first of them on: a tick may scroll the page. */
  const boxes = () =>
    tiles.evaluateAll((all) =>
      all.map((one) => {
        const [from, { x, y, width, height }] = [all[0]!.getBoundingClientRect(), one.getBoundingClientRect()]
        return [x - from.x, y - from.y, width, height].map(Math.round)
      }),
    )
  const before = await boxes()
  for (const name of ['Music', 'Board Games', 'Baking']) await page.getByRole('checkbox', { name, exact: true }).check()
  expect(await boxes()).toEqual(before)
  for (const [, , width, height] of before) expect(Math.min(width!, height!)).toBeGreaterThanOrEqual(44)
  const mark = page.getByRole('checkbox', { name: 'Music', exact: true }).locator('+ span')
  expect(await mark.evaluate((face) => getComputedStyle(face, '::after').width)).toBe('12px')
  // The control, and what is seen of it.
  await expect(tiles.first().locator('*')).toHaveCount(2)
}

test('what is wrong with a step is shown beside each field until it is right', async ({ world, open }) => {
  test.setTimeout(120_000)
  const page = await open({ refusals: true })
  const posts: string[] = []
  page.on('request', (request) => {
    // What is typed is kept as it is.
    if (request.method() === 'POST' && !request.url().includes('/register/draft')) posts.push(request.url())
  })
  await verifyEmail(page, someone(world, 'Round'))
  posts.length = 0
  await test.step('everything that is wrong is shown in one round', () => expectAllInOneRound(page))
  await test.step('a date under eighteen and two different passwords are reported before anything is sent', async () => {
    await fillBasics(page, { firstName: 'Round' })
    await page.getByLabel('Confirm password').fill('something else')
    await page.getByLabel('Date of birth').fill(`${new Date().getUTCFullYear() - 10}-01-01`)
    await goOn(page)
    await expect(page.locator('#dob-error')).toHaveText('Invalid date of birth. Please provide a valid date (18+).')
    await expect(page.locator('#confirm-error')).toHaveText('Passwords do not match.')
    expect(posts).toEqual([])
  })
  await test.step('a password that is refused a second time has its error beside it again', async () => {
    await page.getByLabel('Date of birth').fill('1990-01-01')
    for (const refused of ['password123', 'password1234']) {
      await password(page).fill(refused)
      await page.getByLabel('Confirm password').fill(refused)
      await goOn(page)
      await expect(password(page), refused).toHaveAttribute('aria-invalid', 'true')
      await expect(password(page)).toHaveAccessibleDescription(/common|guess/)
    }
  })
  await test.step('an answer takes its error away, from the group and from the summary', () => expectAnswersCount(page))
  await test.step('so it is with interests, each time', () => expectInterestsAsked(page))
})

async function expectAllInOneRound(page: Page): Promise<void> {
  const date = page.getByLabel('Date of birth')
  await date.fill(`${new Date().getUTCFullYear() - 10}-01-01`)
  await date.blur()
  // What was found wrong first comes where the page has it.
  await expect(page.locator('.field').getByText('Invalid date of birth.')).toBeVisible()
  await password(page).fill(PASSWORD)
  await goOn(page)
  const all = [
    'Please enter your first name, up to 50 characters.',
    'Please enter your last name, up to 50 characters.',
    'Passwords do not match.',
    'Invalid date of birth. Please provide a valid date (18+).',
    'Please choose your gender.',
    'Please choose what you are looking for.',
    'Please choose whom you are interested in.',
  ]
  for (const words of all) await expect(page.locator('.field').getByText(words), words).toBeVisible()
  const summary = page.getByRole('alert').filter({ hasText: `${all.length} things need another look` })
  await expect(summary.getByRole('listitem')).toHaveText(all)
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByLabel('First name').fill('Round')
  await expect(summary).toHaveCount(0)
  await expect(page.getByRole('alert').getByRole('listitem')).toHaveText(all.slice(1))
}

async function expectAnswersCount(page: Page): Promise<void> {
  await fillBasics(page, { firstName: '' })
  const sought = page.getByRole('checkbox', { name: 'Men', exact: true })
  await sought.uncheck()
  await goOn(page)
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('2 things need another look')
  await expect(summary).toContainText('Please choose whom you are interested in.')
  await expect(summary).toBeFocused()
  await sought.check()
  await expect(summary).toContainText('One thing needs another look')
  await expect(summary).not.toContainText('interested in')
  await expect(sought).toBeFocused()
  await page.getByLabel('First name').fill('Answer')
  await expect(summary).toHaveCount(0)
  await expect(page.getByLabel('First name')).toBeFocused()
  await goOn(page)
  await step(page, 2)
}

async function expectInterestsAsked(page: Page): Promise<void> {
  await goOn(page)
  await step(page, 3)
  for (const _ of [1, 2]) {
    await goOn(page)
    await expect(page.getByRole('alert')).toContainText('Please choose 1 to 5 interests.')
    const group = page.getByRole('group', { name: 'Your interests' })
    await expect(group).toHaveAccessibleDescription(/Please choose 1 to 5 interests/)
    await fillInterests(page, ['Hiking'])
    await expect(page.getByText('Please choose 1 to 5 interests.')).toHaveCount(0)
    await expect(group).not.toHaveAccessibleDescription(/Please choose/)
    await page.getByRole('checkbox', { name: 'Hiking', exact: true }).uncheck()
  }
}
