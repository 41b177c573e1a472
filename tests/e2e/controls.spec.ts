import type { Page } from 'playwright'
import { PROOF_COOKIE } from '../../app/request/session-cookie.server.ts'
import type { World } from '../support/world.ts'
import { expect, hostCookie, type OpenOptions, test } from './fixture.ts'
import { registering } from './pages/cast.ts'
import { townField } from './pages/journey.ts'
import { expectSummaryLeadsToFields } from './pages/spoil.ts'

const BASICS = ['firstName', 'lastName', 'password', 'dob', 'gender', 'lookingFor', 'interestedIn']

/** The wizard at a step. */
async function wizard(
  open: (options: OpenOptions) => Promise<Page>,
  world: World,
  step: number,
  script = true,
): Promise<Page> {
  const page = await open({ phone: true, refusals: true, script })
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  await page.goto(`/register?step=${step}`)
  return page
}

test('the fields of the wizard agree with each other, and the summary of each step leads to each of them', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  // From the last one: those behind a step that is not done cannot be opened.
  const page = await wizard(open, world, 5)
  await test.step('the summary of each step leads to each of its fields', () => expectSummaries(page))
  await page.goto('/register?step=2')
  await test.step('the sliders look and work alike', () => expectSliders(page))
  await test.step('a refused pair of ages is marked, and the summary leads to it', () => expectAges(page))
  await test.step('the slider of the distance agrees with its field', () => expectDistance(page))
  const form = page.locator('form').last()
  await test.step('so does the summary of that step, and of the first', async () => {
    await expectSummaryLeadsToFields(form, ['ageMin', 'distanceMiles', 'visibilityMode'])
    await page.goto('/register?step=1')
    await expectSummaryLeadsToFields(form, BASICS)
  })
})

async function expectSliders(page: Page): Promise<void> {
  const sliders = page.locator('input[type=range]')
  await expect(sliders).toHaveCount(3)
  const looks = await sliders.evaluateAll((all) => all.map((one) => getComputedStyle(one).appearance))
  expect(looks).toEqual(['none', 'none', 'none'])
  await expect(page.locator('.range-bar')).toHaveCount(2)
  const miles = sliders.last()
  const box = (await miles.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  expect(Math.abs(Number(await page.getByLabel('How far away, in miles').inputValue()) - 500)).toBeLessThan(20)
}

async function expectAges(page: Page): Promise<void> {
  const ages = page.getByRole('group', { name: 'Their age' }).getByRole('spinbutton')
  const plain = await ages.first().evaluate((box) => getComputedStyle(box).borderColor)
  await ages.first().fill('50')
  await ages.last().fill('20')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByRole('link').click()
  await expect(ages.first()).toBeFocused()
  for (const box of await ages.all()) {
    await expect(box).toHaveAttribute('aria-invalid', 'true')
    await expect(box).toHaveAccessibleDescription(/^Ages go from/)
  }
  await expect(ages.last()).not.toHaveCSS('border-color', plain)
  await ages.first().fill('20')
  await ages.last().fill('50')
}

async function expectDistance(page: Page): Promise<void> {
  const [field, help] = [page.getByLabel('How far away, in miles'), page.locator('#distanceMiles-help')]
  const slider = page.locator('input[type=range]').last()
  for (const [typed, shown, words] of [
    ['1', '1', '1 mile'],
    ['', '0', '1000 means 1000+ miles: any distance.'],
    ['5000', '1000', '1000 means 1000+ miles: any distance.'],
    ['-3', '0', '1000 means 1000+ miles: any distance.'],
    ['1000', '1000', '1000+ miles'],
    ['12.5', '13', '12.5 miles'],
    ['1000.5', '1000', '1000 means 1000+ miles: any distance.'],
  ] as const) {
    await field.fill(typed)
    await expect(help).toHaveText(words)
    await expect(slider).toHaveValue(shown)
  }
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toContainText('The distance goes from 0 to 1000 miles.')
  await page.emulateMedia({ forcedColors: 'active' })
  await expect(page.locator('.range-bar').last()).toHaveCSS('border-top-style', 'solid')
  await page.emulateMedia({ forcedColors: 'none' })
}

async function expectSummaries(page: Page): Promise<void> {
  const form = page.locator('form').last()
  await expectSummaryLeadsToFields(form, ['phone'])
  await page.goto('/register?step=4')
  await page.getByRole('button', { name: 'Remove Photo 1' }).press('Enter')
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Remove Photo 1' })).toBeFocused()
  await expectSummaryLeadsToFields(form, ['photos'])
  await page.getByRole('button', { name: 'Remove Photo 1' }).press('Enter')
  await expect(page.getByLabel('Add photos or videos')).toBeFocused()
  await page.goto('/register?step=3')
  await expectSummaryLeadsToFields(form, ['interests'])
}

test('without script the wizard says what is wrong with a file, and leads to it', async ({ world, open }) => {
  const page = await wizard(open, world, 5, false)
  await page.getByLabel('Choose a recording').setInputFiles('package.json')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByRole('link').click()
  await expect(page.getByRole('group', { name: 'Voice intro' })).toBeFocused()
  await test.step('an upload without a file says what to do', async () => {
    await page.goto('/register?step=4')
    await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText('Choose a file first.').last()).toBeVisible()
  })
})

test('the summary of each section of the own profile leads to each of its fields', async ({ world, open }) => {
  test.setTimeout(120_000)
  const page = await open({ as: await world.member('Eve'), phone: true, refusals: true })
  for (const [path, sections] of Object.entries({
    '/profile/edit': {
      about: ['bio'],
      interests: ['own-interests'],
      hobbies: ['own-hobbies'],
      facts: ['height', 'orientation'],
      tastes: ['likes', 'dislikes'],
      looking: ['lookingFor', 'vibe'],
      meet: ['interestedIn', 'distanceMiles'],
      place: ['city', 'state'],
      phone: ['own-phone'],
      name: ['firstName', 'lastName'],
    },
    '/profile/privacy': { mode: ['visibilityMode'], blur: ['own-blur'], audience: ['fieldVisibility'] },
  })) {
    for (const [section, fields] of Object.entries(sections)) {
      await page.goto(`${path}?section=${section}`)
      await expectSummaryLeadsToFields(page.locator(`dialog form, #${section} form`), fields)
    }
  }
  await test.step('and to a name that may not change yet', () => expectNameLed(page))
})

async function expectNameLed(page: Page): Promise<void> {
  const other = await page.context().newPage()
  for (const tab of [page, other]) await tab.goto('/profile/edit?section=name')
  for (const tab of [other, page]) {
    await tab.getByLabel('First name').fill('Florence')
    await tab.getByLabel('Last name').fill(tab === page ? 'Nightingale' : 'Welch')
    await tab.getByRole('button', { name: 'Save name' }).click()
    await tab
      .getByText(/^Profile updated|^You can change your name again/)
      .first()
      .waitFor()
  }
  await page.getByRole('alert').getByRole('link').click()
  await expect(page.getByLabel('First name')).toBeFocused()
}

test('the button beside a town keeps its height beside an error', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ann'), phone: true, refusals: true })
  await page.goto('/discover')
  const town = await townField(page)
  const set = page.getByRole('button', { name: 'Set' })
  // Whatever the sheet that opens does to its size meanwhile.
  const height = () => set.evaluate((button) => (button as HTMLElement).offsetHeight)
  const before = await height()
  await town.fill('Nowhereville')
  await set.click()
  await page.locator('.field-error').waitFor()
  expect(await height()).toBe(before)
})
