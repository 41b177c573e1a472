import type { Locator, Page, Route } from 'playwright'
import { expect, test } from '../fixture.ts'
import { signInAs } from '../pages/sign-in.ts'

const FINNSNES = { lat: 69.23, lng: 17.98 }
const PHONES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
] as const

const DESKTOP = { width: 1280, height: 800 }
const SMALLEST = { width: 320, height: 568 }

/** Whether a finger at the middle of it meets the thing itself. */
const isInReach = (thing: Locator) =>
  thing.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const met = document.elementFromPoint(x + width / 2, y + height / 2)
    return met !== null && element.contains(met)
  })
const buzzOf = (page: Page) => page.getByRole('button', { name: /^Buzz / })
const NETWORK_ERROR = 'Network error. Please check your connection.'

/** By a tap on the middle of them, once what moves stands. */
async function expectButtonsInReach(page: Page): Promise<void> {
  for (const name of [/^Skip /, /^Buzz /])
    await expect.poll(() => isInReach(page.getByRole('button', { name })), String(name)).toBe(true)
}

async function expectCardInView(page: Page): Promise<void> {
  for (const phone of PHONES) {
    await page.setViewportSize(phone)
    await expect(buzzOf(page)).toBeVisible()
    const words = `${phone.width} × ${phone.height}`
    expect(await isInReach(buzzOf(page)), words).toBe(true)
    expect(await isInReach(page.locator('.deck-name').first()), words).toBe(true)
  }
}

for (const script of [true, false])
  test(`${script ? 'with' : 'without'} script: on a phone the name and the buttons of a card are in reach, also for who has no place yet, and after a refusal`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    await world.join('Ann', { location: FINNSNES })
    const [settled, newcomer] = [await world.join('Bea', { location: FINNSNES }), await world.join('Cid')]
    await world.settled()
    const page = await open({ phone: true, script, refusals: true })
    for (const who of [settled, newcomer])
      await test.step(who === settled ? 'with a place' : 'without one', async () => {
        await signInAs(page, world, who)
        await page.goto('/discover')
        await expectCardInView(page)
        if (script) for (const phone of PHONES) await refuseVibeOffline(page, phone)
        else await expectVibeLabel(page)
      })
    await test.step('on the smallest phone the buttons are reached, at the latest by scrolling', async () => {
      await page.setViewportSize(SMALLEST)
      await page.goto('/discover')
      await expect(buzzOf(page)).toBeVisible()
      expect(await isInReach(buzzOf(page))).toBe(true)
      if (script) await page.locator('.location-form summary').click()
      else await refuseVibe(page)
      await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
      await expectButtonsInReach(page)
    })
    await page.setViewportSize(PHONES[1])
    if (script) {
      await test.step('a position that could not be sent says why, and shows that it is on its way', () =>
        refusePosition(page))
      await test.step('what a refused vibe says goes when the next one is stored', () => storeAfterRefusal(page))
    }
    await page.goto('/discover')
    await page.locator('.location-form summary').click()
    for (const [town, words] of TOWNS)
      await test.step(`${town} is refused at the field, which has the focus`, () => refuseTown(page, town, words))
  })

/** It gives way to the one that is stored, and leaves the buttons in reach. */
async function refuseVibeOffline(page: Page, phone: (typeof PHONES)[number]): Promise<void> {
  await page.setViewportSize(phone)
  const vibe = page.getByLabel('My vibe')
  const before = await vibe.inputValue()
  await page.context().setOffline(true)
  await vibe.selectOption(before === 'friends' ? 'serious' : 'friends')
  await expect(page.getByText(NETWORK_ERROR)).toBeVisible()
  await expect(vibe).toHaveValue(before)
  await expectButtonsInReach(page)
  await page.context().setOffline(false)
  await expect(page.getByText(NETWORK_ERROR)).toHaveCount(0, { timeout: 3_000 })
}

async function expectVibeLabel(page: Page): Promise<void> {
  for (const phone of [SMALLEST, ...PHONES]) {
    await page.setViewportSize(phone)
    expect(await isInReach(page.getByText('My vibe', { exact: true })), `${phone.width}`).toBe(true)
    // As an icon: the vibe has the room.
    const save = page.getByRole('button', { name: 'Save', exact: true })
    expect((await save.boundingBox())!.width, `${phone.width}`).toBeLessThanOrEqual(64)
  }
  await page.setViewportSize(PHONES[0])
  await refuseVibe(page)
  expect(await isInReach(buzzOf(page))).toBe(true)
}

const TOWNS = [
  ['Xyzzyville', 'No town called Xyzzyville is in the list.'],
  ['San', 'There is more than one.'],
] as const

async function refuseTown(page: Page, town: string, words: string): Promise<void> {
  await page.getByLabel('Your town').fill(town)
  await page.getByRole('button', { name: 'Set' }).click()
  // By its element: a search for a text skips what stands in a `noscript`.
  await expect(page.locator('.field-error')).toContainText(words)
  await expect(page.getByLabel('Your town')).toBeFocused()
  await expect(page.getByLabel('Your town')).toHaveAccessibleDescription(new RegExp(words))
}

/** Where people are shown, the question is folded. */
async function refusePosition(page: Page): Promise<void> {
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 69.6, longitude: 18.9 })
  await page.goto('/discover')
  await expect(page.getByLabel('Your town')).toBeHidden()
  const locate = page.getByRole('button', { name: 'Use my location' })
  const posts: Route[] = []
  await page.route(/\.data(\?|$)/, (route) => {
    if (route.request().method() === 'POST') posts.push(route)
    else return route.continue()
  })
  await locate.click()
  await expect.poll(() => posts.length).toBe(1)
  await expect(locate).toHaveAttribute('aria-disabled', 'true')
  await posts[0]!.fulfill({ status: 502, contentType: 'text/html', body: 'x' })
  await expect(page.getByRole('alert').getByText('Something went wrong.', { exact: false })).toBeInViewport()
  await expect(locate).not.toHaveAttribute('aria-disabled')
  await page.context().setOffline(true)
  await page.unrouteAll()
  await locate.click()
  await expect(page.getByRole('alert').getByText(NETWORK_ERROR)).toBeInViewport()
  await page.context().setOffline(false)
}

async function storeAfterRefusal(page: Page): Promise<void> {
  await page.goto('/discover')
  const vibe = page.getByLabel('My vibe')
  const changed = (await vibe.inputValue()) === 'friends' ? 'serious' : 'friends'
  await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
  await vibe.selectOption(changed)
  await expect(page.getByText(NETWORK_ERROR)).toBeVisible()
  await page.unroute(/\.data(\?|$)/)
  await vibe.selectOption(changed)
  await expect(page.getByText(NETWORK_ERROR)).toHaveCount(0, { timeout: 3_000 })
  await expect(vibe).toHaveValue(changed)
}

test('what a refused skip says leaves the buttons of the deck, and the bar below, in reach', async ({
  world,
  open,
}) => {
  const location = { lat: 69.66, lng: -18.97 }
  const [dan] = [await world.member('Dan', { location }), await world.member('Eve', { location })]
  await world.settled()
  const page = await open({ as: dan, refusals: true })
  for (const window of [PHONES[1], DESKTOP]) {
    await page.setViewportSize(window)
    await page.goto('/discover')
    await page.route(/\.data(\?|$)/, (route) => route.abort('connectionreset'))
    await page.getByRole('button', { name: 'Skip Eve' }).click()
    await expect(page.locator('.toast')).toBeVisible()
    for (const name of ['Skip Eve', 'Buzz Eve'])
      await expect.poll(() => isInReach(page.getByRole('button', { name })), name).toBe(true)
    const links = page.getByRole('navigation').getByRole('link')
    for (const link of (await links.all()).filter((_, at) => at < 4)) expect(await isInReach(link)).toBe(true)
    await page.unrouteAll()
  }
})

/** The form without script, with a vibe that nobody can choose. */
async function refuseVibe(page: Page): Promise<void> {
  const option = page.getByLabel('My vibe').locator('option').first()
  await option.evaluate((element) => element.setAttribute('value', 'of-another-world'))
  await page.getByLabel('My vibe').selectOption('of-another-world')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('That vibe cannot be chosen here.')).toBeVisible()
}

test('a vibe is stored though other people are asked for while it is on its way', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ivy', { location: FINNSNES }), phone: true })
  await page.goto('/discover')
  const vibe = page.getByLabel('My vibe')
  const changed = (await vibe.inputValue()) === 'friends' ? 'serious' : 'friends'
  const waiting: Route[] = []
  await page.route(/\.data(\?|$)/, (route) =>
    route.request().method() === 'POST' ? void waiting.push(route) : route.continue(),
  )
  await vibe.selectOption(changed)
  await expect.poll(() => waiting.length).toBe(1)
  await page.locator('summary', { hasText: 'Filters' }).click()
  await page.getByRole('button', { name: 'Show people' }).click()
  await expect(page).toHaveURL(/ageMin/)
  const stored = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await waiting[0]!.continue()
  expect((await stored).ok()).toBe(true)
  await page.reload()
  await expect(vibe).toHaveValue(changed)
})

for (const script of [true, false])
  test(`in a short window the welcome is one line above a card in reach, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const location = { lat: -43.87, lng: 171.61 }
    await world.member('Gro', { location })
    const newcomer = await world.member('Hal', { location })
    await world.settled()
    const page = await open({ as: newcomer, phone: true, script })
    await page.setViewportSize(PHONES[0])
    await page.goto('/discover?welcome')
    const [title, start] = [page.getByText('Welcome, Hal.'), page.getByRole('link', { name: 'Start', exact: true })]
    const [words, button] = [(await title.boundingBox())!, (await start.boundingBox())!]
    expect(button.x).toBeGreaterThan(words.x + words.width)
    expect(Math.abs(button.y + button.height / 2 - words.y - words.height / 2)).toBeLessThan(4)
    expect(await isInReach(buzzOf(page))).toBe(true)
    expect(await isInReach(start)).toBe(true)
    await page.setViewportSize(PHONES[1])
    await expect(page.getByText('Your profile is ready.')).toBeInViewport()
    await world.edit(newcomer, { firstName: 'W'.repeat(50) })
    await world.settled()
    await page.goto('/discover?welcome')
    await expect(page.getByText('Welcome, WWW')).toBeInViewport()
    expect(await isInReach(buzzOf(page)), 'the longest name').toBe(true)
  })

test('where nobody is left, a short window has the question for the place folded, from the first picture on', async ({
  world,
  open,
}) => {
  await world.member('Jon')
  const lone = await world.member('Ida', { preferences: { ageRange: [90, 95], distanceMiles: 5 } })
  await world.settled()
  for (const [window, unfolded] of [
    [PHONES[0], false],
    [PHONES[1], true],
  ] as const) {
    const page = await open({ as: lone, phone: true })
    await page.setViewportSize(window)
    let release = () => {}
    const released = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/assets/*.js', (route) => released.then(() => route.continue()))
    const opened = page.goto('/discover')
    const question = page.getByRole('region', { name: 'Where are you, roughly?' })
    await expect(question).toBeVisible()
    const before = (await question.locator('details').boundingBox())!
    release()
    await opened
    await expect(question.getByRole('button', { name: 'Use my location' })).toBeInViewport({ ratio: 1 })
    expect((await question.locator('details').boundingBox())!).toEqual(before)
    if (!unfolded) await question.locator('summary').click()
    await expect(question.getByLabel('Your town')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Open the ages/ })).not.toHaveClass(/button-primary/)
    await page.context().close()
  }
})
