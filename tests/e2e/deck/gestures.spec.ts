import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect, test } from '../fixture.ts'
import { fingerOf, type Hand, mouseOf, ninePointsOf, pacedFingerOf, touch } from '../pages/hand.ts'

type Point = { readonly x: number; readonly y: number }

const top = (page: Page) => page.locator('.deck-card:not([aria-hidden])')
const topName = (page: Page) => top(page).getByRole('heading').innerText()
const transform = (page: Page) => top(page).evaluate((card) => getComputedStyle(card).transform)
const news = (page: Page) => page.getByRole('main').getByRole('status')
/** The name of the next card, once this one is gone. */
const gone = (page: Page, name: string) => expect(top(page).getByRole('heading')).not.toHaveText(name)

/** Names of people without anybody else within reach. */
let towns = 0
const nextTown = () => ({ lat: 52 + 0.9 * towns++, lng: 5 })
const FULL = { visibilityMode: 'full' } as const
const NEAR = { preferences: { ageRange: [18, 100] as [number, number], distanceMiles: 5 } }

test('a card can be dragged by a finger and by a mouse from nine points of it, also over its link', async ({
  world,
  open,
}) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (let n = 0; n < 20; n++)
    await world.join(`Person ${n}`, { location, interests: ['Photography', 'Dancing', 'Music'] })
  await world.settled()
  const page = await open({ as: me, phone: true })
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''))
  // The mouse first: a finger turns the page into one that is touched.
  for (const handOf of [mouseOf, fingerOf]) {
    posts.length = 0
    await page.goto('/discover')
    const hand = await handOf(page)
    for (const [n, point] of (await ninePointsOf(page)).entries()) {
      const before = await topName(page)
      await hand({ ...point, dx: -125, dy: 6, ms: 400 })
      await gone(page, before)
      expect(new URL(page.url()).pathname, `point ${n}`).toBe('/discover')
    }
    await expect.poll(() => posts.length).toBe(9)
    expect(new Set(posts.map((body) => new URLSearchParams(body).get('to'))).size).toBe(9)
  }
})

test('Buzz pressed right after a swipe buzzes the next card, once', async ({ world, open }) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (let n = 0; n < 10; n++) await world.join(`Person ${n}`, { location })
  await world.settled()
  const page = await open({ as: me, phone: true })
  const posts: string[] = []
  page.on('request', (request) => {
    const body = new URLSearchParams(request.method() === 'POST' ? (request.postData() ?? '') : '')
    if (body.has('to')) posts.push(`${body.get('intent')} ${body.get('to')}`)
  })
  await page.goto('/discover')
  const [finger, { x, y }] = [await pacedFingerOf(page), (await ninePointsOf(page))[4]!]
  const buzz = page.getByRole('main').getByRole('button', { name: /^Buzz / })
  const box = (await buzz.boundingBox())!
  const button = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const ids = await page.evaluate(() => [...document.querySelectorAll('.deck-name')].map(({ id }) => id.slice(5)))
  for (let round = 1; round <= 4; round++) {
    await finger({ x, y }, { x: x - 140, y }, 10)
    await finger(button, button, 4)
    await expect.poll(() => posts.length, `round ${round}`).toBe(2 * round)
  }
  expect(posts.slice(0, 3)).toEqual([`skip ${ids[0]}`, `buzz ${ids[1]}`, `skip ${ids[2]}`])
  expect(posts.map((post) => post.split(' ')[0])).toEqual(Array(4).fill(['skip', 'buzz']).flat())
  expect(new Set(posts).size).toBe(8)
})

test('a skip reads nothing again until five are left, and then the next cards come by themselves', async ({
  world,
  open,
}) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (let n = 0; n < 14; n++) await world.join(`Person ${n}`, { location })
  await world.settled()
  const page = await open({ as: me })
  // A page learns of the routes behind its links and forms once, after it was drawn.
  await page.goto('/discover', { waitUntil: 'networkidle' })
  const sent: string[] = []
  page.on('request', (request) => {
    if (/\.data|__manifest/.test(request.url())) sent.push(request.method())
  })
  for (let n = 0; n < 4; n++) {
    const before = await topName(page)
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.keyboard.press('ArrowLeft')
    await answer
    await gone(page, before)
  }
  expect(sent).toEqual(['POST', 'POST', 'POST', 'POST'])
  for (let n = 0; n < 10; n++) {
    await expect(top(page)).toBeVisible()
    const before = await topName(page)
    await page.keyboard.press('ArrowLeft')
    if (n < 9) await gone(page, before)
  }
  // Whoever has no place is near to everybody.
  await expect(page.getByRole('article', { name: /^Person/ })).toHaveCount(0)
  expect(sent.filter((method) => method === 'GET').length).toBeLessThanOrEqual(4)
})

test('what fingers do to a card that decides nothing leaves it where it is, and a flick decides', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (const name of ['Ann', 'Bea', 'Cat']) await world.edit(await world.join(name, { location }), FULL)
  await world.settled()
  const page = await open({ as: me, phone: true })
  await page.goto('/discover')
  const [finger, points, first] = [await fingerOf(page), await ninePointsOf(page), await topName(page)]
  await test.step('taps on the sides turn the photos over, and keys have buttons that keep the focus', () =>
    turnPhotos(page, finger, points))
  await test.step('a second finger ends the drag of the first', () => dragWithTwo(page, points[4]!))
  expect(await topName(page)).toBe(first)
  await test.step('a short drag over the link opens nothing, and a key opens it right after', () =>
    dragOverLink(page, finger))
  expect(await topName(page)).toBe(first)
  await test.step('a rest before it is let go, and what goes down the card, is no drag', async () => {
    await finger({ ...points[4]!, dx: 90, dy: 0, ms: 120, restMs: 300 })
    await finger({ ...points[4]!, dx: 100, dy: 190, ms: 200 })
    await finger({ ...points[4]!, dx: 18, dy: 0, ms: 10 })
    await expect.poll(() => transform(page)).toBe('none')
    expect(await topName(page)).toBe(first)
  })
  await finger({ ...points[4]!, dx: -70, dy: 0, ms: 80 })
  await gone(page, first)
})

async function turnPhotos(page: Page, finger: Hand, points: readonly Point[]): Promise<void> {
  const photo = top(page).getByRole('img', { name: /^Photo/ })
  await expect(photo).toHaveAccessibleName(/^Photo 1/)
  await finger({ ...points[7]!, dx: 0, dy: 0, ms: 60 })
  await expect(photo).toHaveAccessibleName(/^Photo 2/)
  await finger({ ...points[1]!, dx: 0, dy: 0, ms: 60 })
  await expect(photo).toHaveAccessibleName(/^Photo 1/)
  const next = page.getByRole('button', { name: 'Next photo' })
  await next.focus()
  await page.keyboard.press('Enter')
  await expect(photo).toHaveAccessibleName(/^Photo 2/)
  await expect(next).toBeFocused()
}

async function dragWithTwo(page: Page, { x, y }: Point): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  const [one, two] = [(dx: number) => ({ x: x + dx, y, id: 0 }), { x: x + 60, y: y + 40, id: 1 }]
  await touch(cdp, 'touchStart', [one(0)])
  for (const dx of [20, 60, 100]) await touch(cdp, 'touchMove', [one(dx)])
  await expect(top(page)).toHaveAttribute('data-dragging', '')
  await touch(cdp, 'touchStart', [one(100), two])
  await expect(top(page)).not.toHaveAttribute('data-dragging')
  await touch(cdp, 'touchMove', [one(180), two])
  await touch(cdp, 'touchEnd', [])
  await expect.poll(() => transform(page)).toBe('none')
}

async function dragOverLink(page: Page, finger: Hand): Promise<void> {
  const more = top(page).getByRole('link', { name: /^More about/ })
  const { x, y, width, height } = (await more.boundingBox())!
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  const sheet = page.getByRole('dialog', { name: /^More about/ })
  await finger({ ...middle, dx: -13, dy: 0, ms: 155, restMs: 200 })
  // So short that browsers take it for a tap, too, now and then.
  await more.dispatchEvent('click', { detail: 1, bubbles: true, cancelable: true })
  await expect.poll(() => transform(page)).toBe('none')
  await more.focus()
  await expect(sheet).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
}

test('on a desktop a card is decided once for each press, and taken back by the undo', async ({ world, open }) => {
  test.setTimeout(120_000)
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  const people = new Map<string, Person>()
  for (const name of ['Ann', 'Bea', 'Cat', 'Dan', 'Eva', 'Fay']) people.set(name, await world.join(name, { location }))
  await world.settled()
  const page = await open({ as: me })
  await page.goto('/discover')
  await test.step('a card stands straight once the mouse comes back without its button', () => expectStraight(page))
  await test.step('the single keys can be switched off, for this browser and until they are on again', () =>
    expectKeysOff(page))
  await test.step('a buzz that nobody answered is taken back by the undo, and the page says so', async () => {
    const name = (await topName(page)).split(/[\s,]/)[0]!
    for (let round = 0; round < 2; round++) await takeBack(page, world, people.get(name)!)
  })
  await test.step('one press is one decision: for a key kept down, and for the second tap of a double one', () =>
    expectOneEach(page))
})

async function expectStraight(page: Page): Promise<void> {
  const { x, y } = (await ninePointsOf(page))[4]!
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 60, y, { steps: 6 })
  await expect.poll(() => transform(page)).not.toBe('none')
  const back = { pointerId: 1, buttons: 0, clientX: x + 70, clientY: y, bubbles: true }
  await page.evaluate((init) => document.body.dispatchEvent(new PointerEvent('pointermove', init)), back)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await top(page).evaluate((card) => card.style.transform)).toBe('')
  await expect.poll(() => transform(page)).toBe('none')
  await page.mouse.up()
}

async function expectKeysOff(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Turn keys off' }).click()
  await page.reload()
  const before = await topName(page)
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Turn keys on' }).click()
  await expect(news(page)).toHaveText('')
  expect(await topName(page)).toBe(before)
  await page.keyboard.press('ArrowLeft')
  await gone(page, before)
}

async function takeBack(page: Page, world: World, other: Person): Promise<void> {
  await page.getByRole('button', { name: `Buzz ${other.name}` }).click()
  await expect(news(page)).toHaveText(`You buzzed ${other.name}.`)
  await page.getByRole('button', { name: 'Undo the last buzz' }).click()
  await expect(news(page)).toHaveText(`${other.name} is back.`)
  await expect(page.getByRole('button', { name: `Buzz ${other.name}` })).toBeVisible()
  await world.settled()
  const { users } = await (await world.api('/social/likedYou', { as: other })).json()
  expect(users).toEqual([])
}

async function expectOneEach(page: Page): Promise<void> {
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''))
  const buzz = page.getByRole('main').getByRole('button', { name: /^Buzz / })
  await buzz.focus()
  for (let n = 0; n < 4; n++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  for (let n = 0; n < 4; n++) await page.keyboard.down('ArrowRight')
  await page.keyboard.up('ArrowRight')
  await buzz.dblclick()
  await expect.poll(() => posts.length).toBe(3)
  await expect(page.getByRole('button', { name: 'Undo the last buzz' })).toBeEnabled()
  expect(posts).toHaveLength(3)
}
