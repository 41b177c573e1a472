import type { Page } from 'playwright'
import { expect, test } from './fixture.ts'
import { fingerOf, ninePointsOf } from './pages/hand.ts'

const LISBON = { lat: 38.72, lng: -9.14 }

const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(name) })

test('two browsers: a buzz, a buzz back, the match on both sides, and a message that arrives live', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann', { location: LISBON }), await world.member('Bea', { location: LISBON })]
  const [phone, desktop] = [await open({ as: ann, phone: true }), await open({ as: bea })]
  await phone.goto('/discover')
  await expect(card(phone, 'Bea')).toBeVisible()
  await phone.getByRole('button', { name: 'Buzz Bea' }).click()
  await expect(phone.getByText('You buzzed Bea.')).toBeAttached()

  await desktop.goto('/discover')
  await expect(card(desktop, 'Ann')).toBeVisible()
  await desktop.keyboard.press('ArrowRight')
  for (const [page, other] of [
    [phone, 'Bea'],
    [desktop, 'Ann'],
  ] as const) {
    await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
    await expect(page.getByText(`You and ${other} buzzed each other.`)).toBeVisible()
  }

  const dialog = (page: Page) => page.getByRole('dialog', { name: "It's a match!" })
  await dialog(desktop).getByLabel('Message to Ann').fill('Here I am')
  await desktop.keyboard.press('Enter')
  await expect(desktop.getByRole('log')).toContainText('Here I am')
  await dialog(phone).getByLabel('Message to Bea').fill('Hello from a phone')
  await dialog(phone).getByRole('button', { name: 'Send' }).click()
  await expect(phone).toHaveURL(`${world.url}/chat/${bea.id}`)
  await expect(dialog(phone)).toBeHidden()
  await expect(phone.getByRole('log')).toContainText('Here I am')
  await expect(desktop.getByRole('log')).toContainText('Hello from a phone')
  await desktop.getByLabel('Message to Ann').fill('Hello from a desktop')
  await desktop.keyboard.press('Enter')
  await expect(phone.getByRole('log')).toContainText('Hello from a desktop')
  await expect(phone.getByRole('log').getByLabel('Read')).toBeVisible()

  const long = `${'A long story. '.repeat(120)}The end.`
  await desktop.getByLabel('Message to Ann').fill(long)
  await desktop.keyboard.press('Enter')
  const end = (page: Page) => page.getByRole('log').getByRole('listitem').last().getByRole('time')
  for (const page of [phone, desktop]) {
    await expect(page.getByRole('log')).toContainText('The end.')
    await expect(end(page), 'the newest message is visible, however long').toBeInViewport()
  }
  expect(await phone.evaluate(() => document.documentElement.scrollHeight - innerHeight), 'the page stays').toBe(0)
})

test('a match is shown also where the pages learn of it late', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann', { location: LISBON }), await world.member('Bea', { location: LISBON })]
  await world.buzz(bea, ann)
  await world.settled()
  const page = await open({ as: ann })
  let early = 0
  await page.route(/\/match\/\w+\.data\?live/, (route) => {
    const url = route.request().url()
    return route.continue(early++ < 3 ? { url: url.replace(bea.id, ann.id) } : {})
  })
  await page.goto(`/viewProfile/${bea.id}`)
  // Nothing else is read anew meanwhile, as on a slow line.
  let letPageCome = () => {}
  const shown = new Promise<void>((resolve) => {
    letPageCome = resolve
  })
  await page.route(/\/viewProfile\/\w+\.data/, async (route) => {
    if (route.request().method() === 'GET') await shown
    await route.continue()
  })
  await page.getByRole('button', { name: 'Buzz to Unlock' }).click()
  await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
  expect(early).toBeGreaterThan(3)
  letPageCome()
})

test('without script: the same by plain forms, and a reload shows what came', async ({ world, open }) => {
  const [cat, dan] = [await world.member('Cat', { location: LISBON }), await world.member('Dan', { location: LISBON })]
  await world.buzz(dan, cat)
  await world.settled()
  const page = await open({ as: cat, phone: true, script: false })
  await page.goto('/notifications')
  await expect(page.getByText('Dan wants to match with you')).toBeVisible()
  await page.getByRole('button', { name: 'Match Back' }).click()
  await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
  await page.getByLabel('Message to Dan').fill('By plain form')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText('By plain form')
  await world.sendMessage(dan, cat, 'An answer')
  await world.settled()
  await page.reload()
  await expect(page.getByRole('log')).toContainText('An answer')
})

for (const script of [true, false]) {
  test(`${script ? 'with' : 'without'} script: a request that led to a match is the match, and leads to the conversation`, async ({
    world,
    open,
  }) => {
    const [gil, hen] = [await world.member('Gil'), await world.member('Hen')]
    await world.buzz(hen, gil)
    await world.settled()
    const page = await open({ as: gil, phone: true, script })
    await page.goto('/notifications')
    await page.getByRole('button', { name: 'Match Back' }).click()
    await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
    await page.goto('/notifications')
    const rows = page.getByRole('list', { name: 'Your notifications' }).getByRole('listitem').filter({ hasText: 'Hen' })
    await expect(rows).toContainText(['You matched with Hen'])
    await expect(page.getByRole('button', { name: 'Match Back' })).toHaveCount(0)
    await rows.getByRole('link', { name: 'Say hello to Hen' }).click()
    await expect(page.getByLabel('Message to Hen')).toBeVisible()
  })
}

test('a drag past 120 px decides, less springs back', async ({ world, open }) => {
  const eve = await world.member('Eve', {
    location: { lat: 60.17, lng: 24.94 },
    preferences: { ageRange: [18, 100], distanceMiles: 5 },
  })
  await world.member('Fay', { location: { lat: 60.17, lng: 24.94 } })
  const page = await open({ as: eve, phone: true })
  await page.goto('/discover')
  const finger = await fingerOf(page)
  const { x, y } = (await ninePointsOf(page))[4]!
  const drag = (dx: number) => finger({ x, y, dx, dy: 0, ms: 400 })
  await drag(90)
  await expect(card(page, 'Fay')).toBeVisible()
  await drag(-180)
  await expect(page.getByText('Fay skipped.')).toBeAttached()
  await page.getByRole('button', { name: 'Undo the last skip' }).click()
  await expect(card(page, 'Fay')).toBeVisible()
})
