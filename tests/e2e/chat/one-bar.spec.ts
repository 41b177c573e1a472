import type { Locator } from 'playwright'
import { expect, test } from '../fixture.ts'
import { log, longRoom } from '../pages/long-room.ts'

test('a room on a phone has one bar of 56 px, with the way back', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 30)
  for (const script of [true, false]) {
    const page = await open({ as: ann, phone: true, script })
    await page.goto(`/chat/${bea.id}`)
    const room = await log(page).boundingBox()
    expect(room?.y).toBe(56)
    await page.getByRole('link', { name: 'Back to your matches' }).click()
    await expect(page.getByRole('link', { name: 'LetsBuzz, start page' })).toBeVisible()
  }
})

test('an empty message box is one line high, however long the name of the other is', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Maximiliane-Wilhelmina'.padEnd(50, 'w'))]
  await world.match(ann, bea)
  await world.settled()
  for (const script of [true, false]) {
    const page = await open({ as: ann, phone: true, script })
    await page.goto(`/chat/${bea.id}`)
    expect((await page.getByLabel(/^Message to/).boundingBox())!.height).toBeLessThan(56)
  }
})

test('the message box is three keys away, also on a desktop with many matches', async ({ world, open }) => {
  const [cat, dan] = await longRoom(world, ['Cat', 'Dan'], 60)
  for (const phone of [true, false]) {
    const page = await open({ as: cat, phone })
    await page.goto(`/chat/${dan.id}`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to writing' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Message to Dan')).toBeFocused()
    await page.keyboard.type('No mouse')
    await page.keyboard.press('Enter')
    await expect(log(page)).toContainText('No mouse')
  }
})

test('on a phone the note that the server is away lies over nothing of a room', async ({ world, open }) => {
  const [eve, fay] = await longRoom(world, ['Eve', 'Fay'], 3)
  const page = await open({ as: eve, phone: true, refusals: true })
  await page.routeWebSocket('**/realtime', (socket) => socket.close({ code: 1013 }))
  await page.goto(`/chat/${fay.id}`)
  const note = page.getByRole('status').filter({ hasText: 'LetsBuzz does not answer right now.' })
  await expect(note).toBeInViewport({ ratio: 1 })
  await page.getByRole('link', { name: 'Back to your matches' }).click({ timeout: 5_000 })
  await expect(page).toHaveURL('/chat')
})

test('in the menu of a room Block and Report are in the colour of alarm, and the profile is not', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  await page.goto(`/chat/${bea.id}`)
  await page.locator('.room-head .menu > summary').click()
  const colourOf = (name: string) =>
    page.getByRole('link', { name, exact: true }).evaluate((link) => getComputedStyle(link).color)
  const plain = await colourOf('View profile')
  expect(await colourOf('Unmatch')).toBe(plain)
  expect(await colourOf('Block')).not.toBe(plain)
  expect(await colourOf('Report')).toBe(await colourOf('Block'))
})

test('in an empty room a toast leaves the first words free, and has two lines for a long name', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const cid = await world.member('Cid'.padEnd(50, 'd'))
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  await page.goto(`/chat/${bea.id}`)
  await world.buzz(cid, ann)
  const toast = page.locator('.toast')
  await expect(toast).toBeVisible()
  const boxOf = async (one: Locator) => (await one.boundingBox())!
  const [{ y, height }, box] = [await boxOf(toast), await boxOf(page.locator('.composer'))]
  for (const first of [page.getByText('Say something to Bea'), page.locator('.opener').first()]) {
    const above = await boxOf(first)
    expect(y).toBeGreaterThan(above.y + above.height)
  }
  expect(y + height).toBeLessThanOrEqual(box.y)
  const words = toast.locator('p')
  const line = await words.evaluate((one) => Number.parseFloat(getComputedStyle(one).lineHeight))
  expect((await words.boundingBox())!.height).toBeLessThan(2 * line + 20)
})

test('the box for a first message asks in words that fit, however long the name is', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Maximiliane-Wilhelmina'.padEnd(50, 'w'))]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  for (const [path, words] of [
    ['chat', 'Write a message'],
    ['match', 'Say something'],
  ] as const) {
    await page.goto(`/${path}/${bea.id}`)
    await expect(page.getByPlaceholder(words, { exact: true })).toBeVisible()
  }
})

/** As long as they come: of what both share, of a vibe, and a greeting. */
const LONG_OPENERS = [
  'So we have Music in common. Which song do you play when nobody is listening?',
  'What do you like to do with company, but never alone?',
  'Bea, which of your pictures has the best story?',
]

test('the page of a match has its box and the way on in view of a short window, however long the openers are', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto(`/match/${bea.id}`)
  await page.locator('.match-opener').evaluateAll((all, longest) => {
    all.forEach((one, at) => {
      one.textContent = longest[at] ?? ''
    })
  }, LONG_OPENERS)
  const bar = (await page.getByRole('navigation').filter({ visible: true }).last().boundingBox())!
  for (const thing of [page.getByLabel('Message to Bea'), page.getByRole('link', { name: 'Keep looking' })]) {
    const { y, height } = (await thing.boundingBox())!
    expect(y + height).toBeLessThanOrEqual(bar.y)
  }
})

test('on its side an empty room begins at its first words, and a long draft leaves room for what was said', async ({
  world,
  open,
}) => {
  const [gil, hen] = [await world.member('Gil'), await world.member('Hen')]
  await world.match(gil, hen)
  await world.settled()
  const page = await open({ as: gil, phone: true })
  await page.setViewportSize({ width: 568, height: 320 })
  await page.goto(`/chat/${hen.id}`)
  await expect(page.getByText('Say something to Hen')).toBeInViewport({ ratio: 1 })
  const box = page.getByLabel('Message to Hen')
  await box.fill(['one', 'two', 'three', 'four', 'five', 'six'].join('\n'))
  await expect.poll(async () => (await log(page).boundingBox())!.height).toBeGreaterThan(130)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(log(page).getByText('six')).toBeInViewport()
})
