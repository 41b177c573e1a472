import type { Page } from 'playwright'
import { expect, type OpenOptions, test } from '../fixture.ts'

type Open = (options?: OpenOptions) => Promise<Page>

async function social(open: Open, options: OpenOptions = {}, query = ''): Promise<Page> {
  const page = await open(options)
  await page.goto(`/dev/gallery/social${query}`)
  return page
}

const heart = (page: Page) => page.locator('.reaction-main')
const choices = (page: Page) => page.getByRole('group', { name: 'Reactions' })
const steps = (page: Page) => page.getByRole('dialog', { name: 'Unlock Premium' })

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: a press gives the first reaction, the others are behind a button, and Remove takes it back`, async ({
    open,
  }) => {
    const page = await social(open, { script, phone: true })
    await heart(page).click()
    await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
    await page.locator('.reaction-picker summary').click()
    await choices(page).getByRole('button', { name: 'Fire' }).click()
    await expect(heart(page)).toHaveText(/Fire/)
    await page.locator('.reaction-picker summary').click()
    await choices(page).getByRole('button', { name: 'Remove' }).click()
    await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
  })

  test(`${how}: steps lead on and back, and closing them leads to the page`, async ({ open }) => {
    const page = await social(open, { script })
    await page.getByRole('link', { name: 'See plans' }).click()
    await steps(page).getByRole('button', { name: 'Continue' }).click()
    await expect(steps(page).getByRole('heading', { name: 'Age', exact: true })).toBeVisible()
    if (script) await expect(steps(page).getByRole('heading', { name: 'Age', exact: true })).toBeFocused()
    await steps(page).getByRole('link', { name: 'Back' }).click()
    await expect(steps(page).getByRole('heading', { name: 'Plan', exact: true })).toBeVisible()
    await steps(page).getByRole('link', { name: 'Close' }).click()
    await expect(steps(page)).toHaveCount(0)
    await expect(page).toHaveURL(/\/dev\/gallery\/social$/)
  })
}

test('a long press opens all reactions, and the one that it ends on is chosen', async ({ open }) => {
  const page = await social(open)
  await heart(page).scrollIntoViewIfNeeded()
  await heart(page).hover()
  await page.mouse.down()
  await expect(choices(page)).toBeVisible()
  const party = choices(page).getByRole('button', { name: 'Party' })
  await party.hover()
  await page.mouse.up()
  await expect(page).toHaveURL(/reaction=party$/)
  await expect(choices(page)).toBeHidden()
})

test('a long press that ends where it began chooses nothing and leaves the reactions open', async ({ open }) => {
  const page = await social(open)
  await heart(page).hover()
  await page.mouse.down()
  await expect(choices(page)).toBeVisible()
  await page.mouse.up()
  await expect(choices(page)).toBeVisible()
  await expect(page).toHaveURL(/\/dev\/gallery\/social$/)
})

test('by keyboard the arrow up or a long press of the space bar opens the reactions, and Escape closes them', async ({
  open,
}) => {
  const page = await social(open)
  await heart(page).focus()
  await page.keyboard.press('ArrowUp')
  await expect(choices(page).getByRole('button', { name: 'Heart' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(choices(page).getByRole('button', { name: 'Party' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(choices(page)).toBeHidden()
  await heart(page).focus()
  await page.keyboard.down(' ')
  await expect(choices(page).getByRole('button', { name: 'Heart' })).toBeFocused()
  await page.keyboard.up(' ')
  await expect(page).toHaveURL(/\/dev\/gallery\/social$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/reaction=laugh$/)
  await expect(heart(page)).toBeFocused()
})

test('who is near is a list of links, of which the drawing marks the one that has the focus', async ({ open }) => {
  const page = await social(open)
  const link = page.locator('.radar-list').getByRole('link', { name: /^Mei/ })
  await link.focus()
  await expect(page.locator('.radar-looked text')).toHaveText('M')
  await expect(page.locator('.radar-comb a')).toHaveCount(9)
  for (const one of await page.locator('.radar-comb a').all()) await expect(one).toHaveAttribute('tabindex', '-1')
})

test('stories are called new or seen in words, and plans by whether they include something', async ({ open }) => {
  const page = await social(open)
  await expect(page.getByRole('link', { name: 'Björn, new story' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Nadia, story, seen' })).toHaveCount(1)
  const undo = page.getByRole('row', { name: /Undo a skip/ })
  await expect(undo.getByRole('img')).toHaveCount(3)
  await expect(undo.getByRole('img', { name: 'Not included' })).toHaveCount(1)
})

test('what a gate shows out of focus is for no keyboard and no screen reader', async ({ open }) => {
  const page = await social(open)
  const preview = page.locator('.gate-preview')
  await expect(preview).toHaveAttribute('aria-hidden', 'true')
  expect(await preview.evaluate((box: HTMLElement) => box.inert)).toBe(true)
})

test('in forced colours rings, days and the reaction that is given keep their marks', async ({ open }) => {
  const page = await open()
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/dev/gallery/social?reaction=fire')
  const colour = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  expect(await colour('.story-new .story-ring', 'border-top-color')).not.toBe(
    await colour('.story-seen .story-ring', 'border-top-color'),
  )
  expect(await colour('.streak-done', 'stroke')).not.toBe(await colour('.streak-open', 'stroke'))
  expect(await colour('.reaction-main', 'outline-style')).toBe('solid')
})
