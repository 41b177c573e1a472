import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

/** Far from where other tests put people. */
const ALTA = { lat: 69.97, lng: 23.27 }
const SMALLEST = { width: 320, height: 568 }
const on = (page: Page) => page.locator('summary[aria-label="Filters, on"]')
const openFilters = (page: Page) => page.locator('.deck-filters > summary').click()

/** Asks for people of these ages, as the form does. */
async function askFor(page: Page, from: string, to: string): Promise<void> {
  await openFilters(page)
  await page.getByRole('spinbutton', { name: 'From' }).fill(from)
  await page.getByRole('spinbutton', { name: 'to' }).fill(to)
  await page.getByRole('button', { name: 'Show people' }).click()
  await page.waitForURL(/ageMin/)
}

async function ages(page: Page): Promise<string[]> {
  const boxes = ['ageMin', 'ageMax'].map((name) => page.locator(`.deck-filter-form [name=${name}]`).inputValue())
  return Promise.all(boxes)
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`filters stay over a vibe, a skip and other pages until they are cleared, ${how}`, async ({ world, open }) => {
    const [ann] = await Promise.all(['Ann', 'Bea', 'Cem'].map((name) => world.member(name, { location: ALTA })))
    await world.settled()
    const page = await open({ as: ann!, phone: true, script })
    await page.goto('/discover')
    await expect(on(page)).toHaveCount(0)
    await askFor(page, '20', '70')
    await expect(on(page)).toBeVisible()

    const changed = (await page.getByLabel('My vibe').inputValue()) === 'friends' ? 'serious' : 'friends'
    await page.getByLabel('My vibe').selectOption(changed)
    if (!script) await page.getByRole('button', { name: 'Save' }).click()
    await expect(on(page)).toBeVisible()
    await page.getByRole('button', { name: /^Skip / }).click()
    await expect(on(page)).toBeVisible()

    await page.getByRole('link', { name: 'Notifications' }).first().click()
    await page.waitForURL('**/notifications')
    await page.getByRole('link', { name: 'Discover' }).first().click()
    await expect(on(page)).toBeVisible()
    expect(await ages(page)).toEqual(['20', '70'])
    await page.goto('/discover')
    expect(await ages(page)).toEqual(['20', '70'])

    await openFilters(page)
    await page.getByRole('link', { name: 'Clear' }).click()
    await expect(on(page)).toHaveCount(0)
    await page.goto('/discover')
    await expect(on(page)).toHaveCount(0)
    expect(await ages(page)).not.toEqual(['20', '70'])
  })

  test(`ages the wrong way round are turned round, in words, ${how}`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Dag', { location: ALTA }), phone: true, script })
    await page.goto('/discover')
    await askFor(page, '60', '30')
    await expect(page.getByText('The ages were swapped: these are people from 30 to 60.')).toBeVisible()
    expect(await ages(page)).toEqual(['30', '60'])
    await expect(on(page)).toBeVisible()
  })

  test(`a town of several is chosen from those that are offered, ${how}`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Eli'), phone: true, script, refusals: true })
    await page.goto('/discover')
    if (!(await page.getByLabel('Your town').isVisible())) await page.locator('.location-form summary').click()
    await page.getByLabel('Your town').fill('San')
    await page.getByRole('button', { name: 'Set' }).click()
    await page
      .getByRole('button', { name: /^San .*, / })
      .nth(1)
      .click()
    await expect(page.getByText('Where are you, roughly?')).toHaveCount(0)
  })
}

test('my vibe is set apart from the filters as a field of the profile', async ({ world, open }) => {
  const page = await open({ as: await world.member('Fay', { location: ALTA }), phone: true })
  await page.goto('/discover')
  const vibe = page.getByLabel('My vibe')
  await expect(vibe).toHaveAccessibleDescription('on my profile only: it filters nobody')
  const changed = (await vibe.inputValue()) === 'friends' ? 'serious' : 'friends'
  await vibe.selectOption(changed)
  const words = changed === 'friends' ? 'Friends' : 'Long-term'
  await expect(page.getByText(`Your profile says ${words}.`)).toBeVisible()
})

test('on the smallest phone every field of the filters lies within its panel', async ({ world, open }) => {
  const page = await open({ as: await world.member('Gro', { location: ALTA }), phone: true })
  await page.setViewportSize(SMALLEST)
  await page.goto('/discover')
  await openFilters(page)
  const panel = (await page.locator('.deck-filter-form').boundingBox())!
  for (const field of await page.locator('.deck-filter-form :is(.input, .button, .range-line)').all()) {
    const box = (await field.boundingBox())!
    expect(box.x, await field.innerText()).toBeGreaterThanOrEqual(panel.x)
    expect(box.x + box.width).toBeLessThanOrEqual(panel.x + panel.width)
  }
})

test('who chose nothing is offered people about as old as they are, within 50 miles', async ({ world, open }) => {
  const preferences = { ageRange: [18, 100] as [number, number], distanceMiles: 1000 }
  const page = await open({ as: await world.member('Jan', { location: ALTA, preferences }), phone: true })
  await page.goto('/discover')
  await openFilters(page)
  await page.getByRole('link', { name: /^About my age, within 50 miles/ }).click()
  await expect(on(page)).toBeVisible()
  const [from, to] = (await ages(page)).map(Number)
  expect(to! - from!).toBe(16)
  await expect(page.locator('.deck-filter-form [name=distanceMiles]')).toHaveValue('50')
  await openFilters(page)
  await expect(page.getByRole('link', { name: /^About my age/ })).toHaveCount(0)
})

test('a vibe that takes its own filter away is explained by one banner, which leads to the filters that are left', async ({
  world,
  open,
}) => {
  const kai = await world.member('Kai', { location: ALTA })
  await world.edit(kai, { vibe: 'flirty' })
  await world.settled()
  const page = await open({ as: kai, phone: true })
  await page.goto('/discover?ageMin=60&ageMax=20&vibe=flirty')
  await page.getByLabel('My vibe').selectOption('friends')
  const banner = page.locator('.discover > .banner', { hasText: 'people of any vibe are shown' })
  await expect(banner).toContainText('The ages were swapped')
  await expect(page.locator('.toast')).toHaveCount(0)
  await banner.getByRole('link', { name: 'Keep these filters' }).click()
  await expect(page).toHaveURL('/discover?ageMin=20&ageMax=60')
  await expect(banner).toHaveCount(0)
  await expect(page.locator('.toast')).toHaveCount(0)
})

test('the word that a vibe is saved goes with its page', async ({ world, open }) => {
  const page = await open({ as: await world.member('Liv', { location: ALTA }), phone: true })
  await page.goto('/discover')
  const vibe = page.getByLabel('My vibe')
  await vibe.selectOption((await vibe.inputValue()) === 'friends' ? 'serious' : 'friends')
  await expect(page.getByText(/^Your profile says/)).toBeVisible()
  await page.getByRole('link', { name: 'Notifications' }).first().click()
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  expect(await page.getByText(/^Your profile says/).count()).toBe(0)
})
