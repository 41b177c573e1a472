import type { Locator, Page } from 'playwright'
import { codeOf } from '../../support/newcomers.ts'
import { expect, test } from '../fixture.ts'
import { fillBasics, goOn, step, verifyEmail } from '../pages/sign-up.ts'

const SCRIPTS = '**/assets/*.js'

/** What `act` does is done on a page whose script is on its way; ends when it runs. */
async function beforeScript(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  let letCome = () => {}
  const comes = new Promise<void>((resolve) => {
    letCome = resolve
  })
  await page.route(SCRIPTS, (route) => comes.then(() => route.continue()))
  const opened = page.goto(path)
  await page.getByRole('main').waitFor()
  await page.evaluate(atRest)
  await act()
  letCome()
  await opened
  await page.unroute(SCRIPTS)
}

/** Ends when what came in has come to rest: a press on a sheet that still rises may end beside the chip where it began. */
async function atRest(): Promise<void> {
  await new Promise(requestAnimationFrame)
  const ends = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  await Promise.all(ends.map((one) => one.finished))
}

const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const press = (page: Page, name: string | RegExp) => page.locator('label.choice', { hasText: name }).click()
/** The bounds of the line that script adds beside the numbers. */
const sliders = (around: Locator) =>
  around.locator('input[type=range]').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))

test('chips and own words of before the script stay, and are saved', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ann'), phone: true })
  await beforeScript(page, '/profile/edit?section=interests', async () => {
    await press(page, 'Travel')
    await press(page, 'Books')
    await page.locator('[name=interests-own]').fill('Sailing')
  })
  const own = page.getByLabel('Add your own to your interests')
  const shown = async () => {
    await expect(page.getByText('2 of 5')).toBeVisible()
    await expect(box(page, 'Travel')).not.toBeChecked()
    for (const name of ['Music', 'Books']) await expect(box(page, name)).toBeChecked()
  }
  await shown()
  await expect(own).toHaveValue('Sailing')
  await own.press('Enter')
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.goto('/profile/edit?section=interests')
  await expect(page.getByText('3 of 5')).toBeVisible()
  for (const name of ['Music', 'Books', 'Sailing']) await expect(box(page, name)).toBeChecked()
})

test('whom a member would like to meet, and of what age, stays as it was set before the script', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Bea'), phone: true })
  await beforeScript(page, '/profile/edit?section=meet', async () => {
    await press(page, /^Men$/)
    await page.locator('[name=ageMin]').fill('25')
    await page.locator('[name=ageMax]').fill('41')
    await page.locator('[name=distanceMiles]').fill('77')
  })
  await expect.poll(() => sliders(page.locator('.range-pair'))).toEqual(['25', '41'])
  await expect(box(page, 'Men')).not.toBeChecked()
  for (const [name, value] of Object.entries({ ageMin: '25', ageMax: '41', distanceMiles: '77' }))
    await expect(page.locator(`[name=${name}]`)).toHaveValue(value)
})

test('a wizard counts what was chosen before its script, and keeps its numbers', async ({ world, open }) => {
  const page = await open({ phone: true })
  const email = 'gia.before.script@example.com'
  await verifyEmail(page, { email, firstName: 'Gia', readCode: () => codeOf(world, email) })
  await fillBasics(page, { firstName: 'Gia' })
  await goOn(page)
  await step(page, 2)
  await beforeScript(page, '/register?step=2', async () => {
    await page.locator('[name=ageMin]').fill('30')
    await page.locator('[name=distanceMiles]').fill('44')
  })
  await expect.poll(() => sliders(page.locator('main'))).toEqual(['30', expect.any(String), '44'])
  await expect(page.locator('[name=ageMin]')).toHaveValue('30')
  await expect(page.locator('[name=distanceMiles]')).toHaveValue('44')
  await goOn(page)
  await step(page, 3)
  await beforeScript(page, '/register?step=3', async () => {
    for (const name of ['Music', 'Travel']) await press(page, name)
  })
  await expect(page.getByText('2 of 5')).toBeVisible()
  for (const name of ['Music', 'Travel']) await expect(box(page, name)).toBeChecked()
})

test('a vibe that is chosen before the script is saved by it', async ({ world, open }) => {
  const ann = await world.member('Ann')
  const page = await open({ as: ann, phone: true })
  const vibe = page.locator('#my-vibe')
  let chosen = ''
  await beforeScript(page, '/discover', async () => {
    await expect(vibe).toBeEnabled()
    const all = await vibe
      .locator('option')
      .evaluateAll((options) => options.map((one) => (one as HTMLOptionElement).value))
    const before = await vibe.inputValue()
    chosen = all.find((one) => one !== before) ?? ''
    await vibe.selectOption(chosen)
  })
  await expect(page.getByText(/^Your profile says/)).toBeVisible()
  await page.reload()
  await expect(vibe).toHaveValue(chosen)
})

test('who types while the script comes goes on where they are', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  const words = page.getByLabel('In your own words')
  await beforeScript(page, `/report/${bea.id}`, async () => {
    await words.fill('Night tains')
    for (let n = 0; n < 'ains'.length; n++) await words.press('ArrowLeft')
  })
  await page.keyboard.type('r')
  await expect(words).toHaveValue('Night trains')
})
