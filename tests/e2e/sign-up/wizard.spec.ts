import type { Page } from 'playwright'
import { codeOf } from '../../support/newcomers.ts'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'
import {
  addPhotos,
  fillBasics,
  fillInterests,
  fillUntilPhotos,
  goOn,
  PASSWORD,
  picture,
  signUp,
  step,
  verifyEmail,
} from '../pages/sign-up.ts'

function someone(world: World, firstName: string) {
  const email = `${firstName.toLowerCase()}.${Date.now()}@example.com`
  return { email, firstName, readCode: () => codeOf(world, email) }
}

const password = (page: Page) => page.getByLabel('Password', { exact: true })

test('the wizard offers people about as old as the visitor, within 50 miles', async ({ world, open }) => {
  const page = await open({ phone: true })
  await verifyEmail(page, someone(world, 'Offer'))
  await fillBasics(page, { firstName: 'Offer' })
  await goOn(page)
  await step(page, 2)
  const [from, to] = await Promise.all(
    ['From', 'to'].map((name) => page.getByRole('spinbutton', { name }).inputValue()),
  )
  expect(Number(to) - Number(from)).toBe(16)
  await expect(page.getByLabel('How far away, in miles')).toHaveValue('50')
})

test('a password that is refused a second time has its error beside it again', async ({ world, open }) => {
  const page = await open({ refusals: true })
  await verifyEmail(page, someone(world, 'Twice'))
  await fillBasics(page, { firstName: 'Twice' })
  for (const refused of ['password123', 'password1234']) {
    await password(page).fill(refused)
    await page.getByLabel('Confirm password').fill(refused)
    await goOn(page)
    await expect(password(page), refused).toHaveAttribute('aria-invalid', 'true')
    await expect(password(page)).toHaveAccessibleDescription(/common|guess/)
  }
})

test('everything that is wrong with a step is shown in one round', async ({ world, open }) => {
  const page = await open({ refusals: true })
  await verifyEmail(page, someone(world, 'Round'))
  await page.getByLabel('Date of birth').fill(`${new Date().getUTCFullYear() - 10}-01-01`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
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
})

test('after each step of the wizard the focus is on the heading of the next one', async ({ world, open }) => {
  const page = await open({ phone: true })
  await verifyEmail(page, someone(world, 'Focus'))
  await fillBasics(page, { firstName: 'Focus' })
  await goOn(page)
  await expect(page.getByRole('heading', { name: 'Who you would like to meet' })).toBeFocused()
  await goOn(page)
  await expect(page.getByRole('heading', { name: 'What you enjoy' })).toBeFocused()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { name: 'Who you would like to meet' })).toBeFocused()
})

test('a chosen interest is marked, and moves none of the others', async ({ world, open }) => {
  const page = await open({ phone: true })
  await verifyEmail(page, someone(world, 'Still'))
  await fillBasics(page, { firstName: 'Still' })
  await goOn(page)
  await step(page, 2)
  await goOn(page)
  await step(page, 3)
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
})

test('interests stand in groups, and five of any may be chosen', async ({ world, open }) => {
  const page = await open({ phone: true })
  await verifyEmail(page, someone(world, 'Groups'))
  await fillBasics(page, { firstName: 'Groups' })
  await goOn(page)
  await step(page, 2)
  await goOn(page)
  const outdoors = page.getByRole('group', { name: 'Outdoors' })
  await expect(outdoors.getByRole('checkbox', { name: 'Hiking' })).toBeVisible()
  await expect(
    page.getByRole('group', { name: 'Food and drink' }).getByRole('checkbox', { name: 'Wine' }),
  ).toBeVisible()
  await fillInterests(page, ['Hiking', 'Music', 'Movies', 'Foodie', 'Sports'])
  await expect(outdoors.getByRole('checkbox', { name: 'Camping' })).toBeDisabled()
})

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`photos have places and an order, and one of them is the main one, ${how}`, async ({ world, open }) => {
    const page = await open({ phone: true, script })
    const newcomer = someone(world, `Order${script}`)
    await verifyEmail(page, newcomer)
    await fillUntilPhotos(page, newcomer)
    await expect(page.getByRole('list', { name: 'What makes good photos' })).toBeVisible()
    await expect(page.locator('.upload-empty')).toHaveCount(6)
    await addPhotos(page, script)
    await expect(page.locator('.upload-empty')).toHaveCount(4)
    await expect(page.locator('.uploads').getByText('Main', { exact: true }).filter({ visible: true })).toHaveCount(1)
    expect(await page.locator('.uploads').getByText('Avatar').count()).toBe(0)
    const sources = () =>
      page.locator('.upload img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src))
    const before = await sources()
    await page.getByRole('button', { name: 'Move Photo 2 forward' }).click()
    await expect.poll(sources).toEqual([...before].reverse())
    await goOn(page)
    await step(page, 5)
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(sources).toEqual([...before].reverse())
  })

  test(`a file that is refused is named, with the kinds that are taken, ${how}`, async ({ world, open }) => {
    const page = await open({ script, refusals: true })
    const newcomer = someone(world, `Kinds${script}`)
    await verifyEmail(page, newcomer)
    await fillUntilPhotos(page, newcomer)
    const notes = { name: 'my notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture at all') }
    await page.locator('input[name=file]').setInputFiles([notes, await picture('fine.jpg', 90)])
    if (!script) await page.getByRole('button', { name: 'Upload' }).click()
    const words = /my notes\.txt: Unsupported file type\. Choose a JPEG, PNG, WebP or GIF picture/
    await expect(page.locator('.field-error').filter({ hasText: words })).toBeVisible()
  })

  test(`a new member is welcomed once, ${how}`, async ({ world, open }) => {
    const page = await open({ phone: true, script })
    const newcomer = someone(world, `Nina${script}`)
    await signUp(page, newcomer, script)
    const welcome = page.getByText(`Welcome, Nina${script}.`, { exact: false })
    await expect(welcome).toBeVisible()
    await page.getByRole('link', { name: 'Start', exact: true }).click()
    await expect(welcome).toHaveCount(0)
  })
}

test('an answer takes its error away, from the group and from the summary of the step', async ({ world, open }) => {
  const page = await open({ phone: true, refusals: true })
  await verifyEmail(page, someone(world, 'Answer'))
  await fillBasics(page, { firstName: '' })
  await page.getByRole('checkbox', { name: 'Men', exact: true }).uncheck()
  await goOn(page)
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('2 things need another look')
  await expect(summary).toContainText('Please choose whom you are interested in.')
  await expect(summary).toBeFocused()
  const sought = page.getByRole('checkbox', { name: 'Men', exact: true })
  await sought.check()
  await expect(summary).toContainText('One thing needs another look')
  await expect(summary).not.toContainText('interested in')
  await expect(sought).toBeFocused()
  await page.getByLabel('First name').fill('Answer')
  await expect(summary).toHaveCount(0)
  await expect(page.getByLabel('First name')).toBeFocused()
  await goOn(page)
  await step(page, 2)
  await goOn(page)
  await step(page, 3)
  for (const _ of [1, 2]) {
    await goOn(page)
    await expect(summary).toContainText('Please choose 1 to 5 interests.')
    const group = page.getByRole('group', { name: 'Your interests' })
    await expect(group).toHaveAccessibleDescription(/Please choose 1 to 5 interests/)
    await fillInterests(page, ['Hiking'])
    await expect(page.getByText('Please choose 1 to 5 interests.')).toHaveCount(0)
    await expect(group).not.toHaveAccessibleDescription(/Please choose/)
    await page.getByRole('checkbox', { name: 'Hiking', exact: true }).uncheck()
  }
})
