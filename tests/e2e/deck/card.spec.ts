import { expect, test } from '../fixture.ts'

const ARENDAL = { lat: 58.46, lng: 8.77 }
const SIZES = [
  [390, 844],
  [375, 667],
  [360, 640],
  [320, 568],
  [1280, 800],
] as const
const LONG = { location: ARENDAL, interests: ['Photography', 'Dancing', 'Travel', 'Music', 'Cooking'] }

test('the words at the foot of a card take less than a third of it, and are whole, on every screen', async ({
  world,
  open,
}) => {
  const long = await world.member('Wilhelmina-Konstantina', LONG)
  await world.edit(long, { bio: 'A long story about everything. '.repeat(15), visibilityMode: 'full' })
  const page = await open({ as: await world.member('Cid', { location: ARENDAL }), phone: true })
  await page.goto('/discover')
  const card = page.getByRole('article', { name: /Wilhelmina/ })
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const words = `${width} × ${height}`
    const isWide = width >= 1024
    if (isWide) await expect(page.getByRole('complementary', { name: /^About Wilhelmina/ })).toBeVisible()
    const [whole, foot, name, facts, more] = await Promise.all(
      [
        card,
        card.locator('.deck-foot'),
        card.locator('.deck-name'),
        card.locator('.deck-facts'),
        card.locator('.deck-more'),
      ].map((one) => one.boundingBox()),
    )
    const bottom = whole!.y + whole!.height
    expect(foot!.height / whole!.height, words).toBeLessThanOrEqual(0.3)
    expect((name!.y - whole!.y) / whole!.height, words).toBeGreaterThanOrEqual(0.7)
    // A wide window has all of it beside the card.
    expect(more === null, words).toBe(isWide)
    for (const one of [name, facts, ...(more ? [more] : [])])
      expect(one!.y + one!.height, words).toBeLessThanOrEqual(bottom + 1)
    await expect(card.locator('.deck-interests .chip')).toHaveCount(3)
  }
})

test('More pulls a sheet up on the card, with all that the card shows and the rest; Escape brings the focus back', async ({
  world,
  open,
}) => {
  const location = { lat: 58.03, lng: 7.45 }
  const near = { preferences: { ageRange: [18, 100] as [number, number], distanceMiles: 5 } }
  const lea = await world.member('Lea', { ...LONG, location })
  await world.edit(lea, { bio: 'I bake bread.', visibilityMode: 'full' })
  const me = await world.member('Cid', { location, ...near })
  await world.settled()
  const page = await open({ as: me, phone: true })
  await page.goto('/discover')
  const more = page.getByRole('link', { name: 'More about Lea' })
  await more.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'More about Lea' })
  await expect(sheet).toBeFocused()
  await expect(sheet).toContainText('I bake bread.')
  for (const interest of LONG.interests) await expect(sheet).toContainText(interest)
  await expect(sheet.getByRole('img', { name: /^Photo \d of Lea/ })).toHaveCount(2)
  await sheet.evaluate((box) => Promise.all(box.getAnimations().map(({ finished }) => finished)))
  const [inner, outer] = [(await sheet.boundingBox())!, (await page.locator('.deck-stack').boundingBox())!]
  expect(inner.y).toBeGreaterThan(outer.y)
  expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 1)

  await page.keyboard.press('ArrowLeft')
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    expect(await sheet.evaluate((box) => box.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(more).toBeFocused()
  await expect(page.getByRole('button', { name: 'Skip Lea' })).toBeVisible()

  await more.click()
  // Waits until the sheet is up.
  const grip = sheet.locator('.sheet-grip')
  await grip.hover()
  const { x, y, width } = (await grip.boundingBox())!
  await page.mouse.move(x + width / 2, y + 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + 140, { steps: 4 })
  await page.mouse.up()
  await expect(sheet).toHaveCount(0)
})

test('without script More leads to the page of the person', async ({ world, open }) => {
  const location = { lat: 59.14, lng: 9.65 }
  await world.member('Kai', { location })
  const me = await world.member('Cid', { location })
  await world.settled()
  const page = await open({ as: me, phone: true, script: false })
  await page.goto('/discover')
  await page.getByRole('link', { name: 'More about Kai' }).click()
  await expect(page.getByRole('heading', { name: /Kai/ })).toBeVisible()
  expect(new URL(page.url()).pathname).toMatch(/^\/view\//)
})

test('the question for the place opens over the deck, which stays where it is', async ({ world, open }) => {
  await world.member('Ada', { location: ARENDAL })
  const page = await open({ as: await world.member('Liv'), phone: true })
  await page.goto('/discover')
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const stack = page.locator('.deck-stack')
    const before = await stack.boundingBox()
    await page.locator('.location-form summary').click()
    await expect(page.getByLabel('Your town')).toBeVisible()
    expect(await stack.boundingBox(), `${width} × ${height}`).toEqual(before)
    await page.getByLabel('Your town').click({ trial: true })
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Your town')).toBeHidden()
  }
})
