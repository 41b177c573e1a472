import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { fingerOf, mouseOf, ninePointsOf, pacedFingerOf, touch } from '../pages/hand.ts'

const top = (page: Page) => page.locator('.deck-card:not([aria-hidden])')
const topName = (page: Page) => top(page).getByRole('heading').innerText()
/** The name of the next card, once this one is gone. */
const gone = (page: Page, name: string) => expect(top(page).getByRole('heading')).not.toHaveText(name)

/** Names of people without anybody else within reach. */
let towns = 0
const nextTown = () => ({ lat: 52 + 0.9 * towns++, lng: 5 })
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
  for (const handOf of [fingerOf, mouseOf]) {
    const page = await open({ as: me, phone: true })
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''))
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
    await page.close()
  }
})

test('a flick decides, a rest before it is let go does not, and what goes down the card is no drag', async ({
  world,
  open,
}) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (const name of ['Ann', 'Bea', 'Cat']) await world.member(name, { location })
  await world.settled()
  const page = await open({ as: me, phone: true })
  await page.goto('/discover')
  const [finger, points] = [await fingerOf(page), await ninePointsOf(page)]
  const middle = points[4]!
  const first = await topName(page)
  await finger({ ...middle, dx: 90, dy: 0, ms: 120, restMs: 300 })
  await finger({ ...middle, dx: 100, dy: 190, ms: 200 })
  await finger({ ...middle, dx: 18, dy: 0, ms: 10 })
  await expect.poll(() => top(page).evaluate((card) => getComputedStyle(card).transform)).toBe('none')
  expect(await topName(page)).toBe(first)
  await finger({ ...middle, dx: -70, dy: 0, ms: 80 })
  await gone(page, first)
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

test('a short drag over the link of a card opens nothing, and a key opens it right after', async ({ world, open }) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (const name of ['Ann', 'Bea']) await world.member(name, { location })
  await world.settled()
  const page = await open({ as: me, phone: true })
  await page.goto('/discover')
  const finger = await fingerOf(page)
  const more = top(page).getByRole('link', { name: /^More about/ })
  const { x, y, width, height } = (await more.boundingBox())!
  const middle = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  const sheet = page.getByRole('dialog', { name: /^More about/ })
  await finger({ ...middle, dx: -13, dy: 0, ms: 155, restMs: 200 })
  // So short that browsers take it for a tap, too, now and then.
  await more.dispatchEvent('click', { detail: 1, bubbles: true, cancelable: true })
  await expect.poll(() => top(page).evaluate((card) => getComputedStyle(card).transform)).toBe('none')
  await more.focus()
  await expect(sheet).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(sheet).toBeVisible()
})

test('a second finger ends the drag of the first, and nothing is decided', async ({ world, open }) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  await world.member('Ann', { location })
  await world.settled()
  const page = await open({ as: me, phone: true })
  await page.goto('/discover')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
  const { x, y } = (await ninePointsOf(page))[4]!
  const [one, two] = [(dx: number) => ({ x: x + dx, y, id: 0 }), { x: x + 60, y: y + 40, id: 1 }]
  await touch(cdp, 'touchStart', [one(0)])
  for (const dx of [20, 60, 100]) await touch(cdp, 'touchMove', [one(dx)])
  await expect(top(page)).toHaveAttribute('data-dragging', '')
  await touch(cdp, 'touchStart', [one(100), two])
  await expect(top(page)).not.toHaveAttribute('data-dragging')
  await touch(cdp, 'touchMove', [one(180), two])
  await touch(cdp, 'touchEnd', [])
  await expect.poll(() => top(page).evaluate((card) => getComputedStyle(card).transform)).toBe('none')
  expect(await topName(page)).toContain('Ann')
})

test('a card stands straight once the mouse comes back without its button', async ({ world, open }) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  await world.member('Ann', { location })
  await world.settled()
  const page = await open({ as: me })
  await page.goto('/discover')
  const transform = () => top(page).evaluate((card) => getComputedStyle(card).transform)
  const { x, y } = (await ninePointsOf(page))[4]!
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 60, y, { steps: 6 })
  await expect.poll(transform).not.toBe('none')
  const back = { pointerId: 1, buttons: 0, clientX: x + 70, clientY: y, bubbles: true }
  await page.evaluate((init) => document.body.dispatchEvent(new PointerEvent('pointermove', init)), back)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await top(page).evaluate((card) => card.style.transform)).toBe('')
  await expect.poll(transform).toBe('none')
})

test('taps on the sides of the picture turn the photos over, and keys have buttons for it that keep the focus', async ({
  world,
  open,
}) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  await world.edit(await world.member('Ann', { location }), { visibilityMode: 'full' })
  await world.settled()
  const page = await open({ as: me, phone: true })
  await page.goto('/discover')
  const [finger, points] = [await fingerOf(page), await ninePointsOf(page)]
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

test('one press is one decision: for a key kept down, and for the second tap of a double one', async ({
  world,
  open,
}) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (let n = 0; n < 6; n++) await world.join(`Person ${n}`, { location })
  await world.settled()
  const page = await open({ as: me })
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''))
  await page.goto('/discover')
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
})

test('a buzz that nobody answered is taken back by the undo, and the page says so', async ({ world, open }) => {
  const location = nextTown()
  const [max, yuki] = [await world.member('Max', { location, ...NEAR }), await world.member('Yuki', { location })]
  await world.settled()
  const page = await open({ as: max })
  await page.goto('/discover')
  const news = page.getByRole('main').getByRole('status')
  for (let round = 0; round < 2; round++) {
    await page.getByRole('button', { name: 'Buzz Yuki' }).click()
    await expect(news).toHaveText('You buzzed Yuki.')
    await page.getByRole('button', { name: 'Undo the last buzz' }).click()
    await expect(news).toHaveText('Yuki is back.')
    await expect(page.getByRole('button', { name: 'Buzz Yuki' })).toBeVisible()
    await world.settled()
    const { users } = await (await world.api('/social/likedYou', { as: yuki })).json()
    expect(users).toEqual([])
  }
})

test('the single keys of the deck can be switched off, for this browser and until they are switched on again', async ({
  world,
  open,
}) => {
  const location = nextTown()
  const me = await world.member('Max', { location, ...NEAR })
  for (const name of ['Ann', 'Bea']) await world.member(name, { location })
  await world.settled()
  const page = await open({ as: me })
  await page.goto('/discover')
  await page.getByRole('button', { name: 'Turn keys off' }).click()
  await page.reload()
  const before = await topName(page)
  const news = page.getByRole('main').getByRole('status')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Turn keys on' }).click()
  await expect(news).toHaveText('')
  expect(await topName(page)).toBe(before)
  await page.keyboard.press('ArrowLeft')
  await gone(page, before)
})
