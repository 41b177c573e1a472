import type { Locator, Page } from 'playwright'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'
import { axeFaults } from '../pages/faults.ts'
import { card } from '../pages/journey.ts'

const WIDE = [
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
]
const NARROW = { width: 1023, height: 768 }
/** Each test has a place of its own, so that nobody of another one is near. */
const placeOf = (test: number) => ({ lat: 60 + test, lng: 14.57 })
const boxOf = async (one: Locator) => (await one.boundingBox())!
const pane = (page: Page, name: string) => page.getByRole('complementary', { name })

/** Three stand beside each other from edge to edge of the window, in this order, and below nothing that is cut off. */
async function expectBeside(page: Page, panes: readonly Locator[]): Promise<void> {
  const boxes = await Promise.all(panes.map(boxOf))
  for (const [at, box] of boxes.entries()) {
    const before = boxes[at - 1]
    if (before) expect(box.x).toBeGreaterThanOrEqual(before.x + before.width - 1)
    expect(box.width).toBeGreaterThan(240)
  }
  const { width } = page.viewportSize()!
  const last = boxes.at(-1)!
  expect([boxes[0]!.x, last.x + last.width]).toEqual([0, width])
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0)
}

/** A seeker of one place and age, for whom these alone are dealt. */
async function seekerOf(world: World, test: number, names: readonly string[]) {
  const location = placeOf(test)
  const all = { ageRange: [18, 100] as [number, number], distanceMiles: 50 }
  const seeker = await world.member('Cid', {
    location,
    interests: ['Music'],
    preferences: { ageRange: [70, 80], distanceMiles: 5 },
  })
  for (const name of names) {
    const one = await world.member(name, {
      location,
      dob: '1951-03-04',
      interests: ['Music', 'Climbing'],
      preferences: all,
    })
    await world.edit(one, { bio: `${name} bakes bread.`, visibilityMode: 'full' })
  }
  await world.settled()
  return seeker
}

for (const script of [true, false])
  test(`from 1024 px Discover shows who comes next and more about the card beside it, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const page = await open({ as: await seekerOf(world, script ? 1 : 2, ['Ada', 'Bea', 'Dan']), script })
    await page.goto('/discover')
    const [next, top] = [pane(page, 'Next people'), page.getByRole('article')]
    await expect(next.getByRole('listitem')).toHaveCount(2)
    const name = (await top.getByRole('heading').textContent())!.split(' ')[0]!
    const about = pane(page, `About ${name}`)
    await expect(about).toContainText(`${name} bakes bread.`)
    await expect(about).toContainText('Music (in common)')
    for (const window of WIDE) {
      await page.setViewportSize(window)
      await expectBeside(page, [next, page.locator('.discover'), about])
      await expect(top.getByRole('link', { name: /^More about/ })).toBeHidden()
    }
    await page.setViewportSize(NARROW)
    for (const side of [next, about]) await expect(side).toBeHidden()
    await expect(top.getByRole('link', { name: /^More about/ })).toBeVisible()

    await page.setViewportSize(WIDE[1]!)
    const second = (await next.getByRole('listitem').first().locator('strong').textContent())!.split(' ')[0]!
    await page.getByRole('button', { name: `Skip ${name}` }).click()
    await expect(card(page, second)).toBeVisible()
    await expect(pane(page, `About ${second}`)).toContainText(`${second} bakes bread.`)
    await expect(about).toHaveCount(0)
    await expect(next.getByRole('listitem')).toHaveCount(1)
    await next.getByRole('link').click()
    await expect(page).toHaveURL(/\/view\//)
  })

for (const script of [true, false])
  test(`from 1024 px a room stands between the matches and who the other is, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const [ann, bea] = [await world.member('Ann', { interests: ['Music'] }), await world.member('Bea')]
    await world.edit(bea, { bio: 'Bea bakes bread.', city: 'Svolvaer', interests: ['Music', 'Climbing'] })
    await world.match(ann, bea)
    await world.settled()
    const page = await open({ as: ann, script })
    await page.goto(`/chat/${bea.id}`)
    const [matches, about] = [pane(page, 'Matches'), pane(page, 'About Bea')]
    for (const words of ['Bea bakes bread.', 'Svolvaer', 'Music (in common)', 'Climbing'])
      await expect(about).toContainText(words)
    for (const window of WIDE) {
      await page.setViewportSize(window)
      await expectBeside(page, [matches, page.locator('.room'), about])
    }
    await expect(about.getByRole('img', { name: 'Bea' })).toBeVisible()
    await page.setViewportSize(NARROW)
    await expect(matches).toBeVisible()
    await expect(about).toBeHidden()
    await page.setViewportSize(WIDE[0]!)
    await about.getByRole('link', { name: 'Open the profile' }).click()
    await expect(page).toHaveURL(new RegExp(`/viewProfile/${bea.id}`))
    await expect(page.getByRole('heading', { level: 1, name: /Bea/ })).toBeVisible()
    if (!script) return
    await test.step('a profile has its pictures, its portrait and its words beside each other', async () => {
      await world.edit(bea, { bio: 'A long story about everything. '.repeat(15) })
      await world.settled()
      await page.reload()
      for (const window of WIDE) await expectProfileBeside(page, window)
    })
    await test.step('a phone asks for no picture of a pane that it does not show', async () => {
      expect(await widePictures(await open({ as: ann, phone: true }), bea.id)).toEqual([])
      expect(await widePictures(await open({ as: ann }), bea.id)).not.toEqual([])
    })
  })

async function expectProfileBeside(page: Page, window: (typeof WIDE)[number]): Promise<void> {
  await page.setViewportSize(window)
  const [pictures, portrait, words] = ['.person-pictures', '.person-portrait', '.person-words'].map((part) =>
    page.locator(part),
  ) as [Locator, Locator, Locator]
  const [left, middle, right] = [await boxOf(pictures), await boxOf(portrait), await boxOf(words)]
  expect(middle.x).toBeGreaterThanOrEqual(left.x + left.width)
  expect(right.x).toBeGreaterThanOrEqual(middle.x + middle.width)
  await expect(portrait).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('link', { name: 'Chat', exact: true }).last()).toBeInViewport({ ratio: 1 })
}

/** How wide the pictures are that a room asks for, but for those beside names. */
async function widePictures(page: Page, other: string): Promise<string[]> {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.startsWith('/media/')) asked.push(searchParams.get('w') ?? 'whole')
  })
  await page.goto(`/chat/${other}`)
  await page.waitForLoadState('networkidle')
  return asked.filter((width) => !(Number(width) <= 96))
}

test('machines can read the panes of every frame', async ({ world, open }) => {
  const seeker = await seekerOf(world, 3, ['Eva', 'Fay'])
  const kim = await world.member('Kim')
  await world.match(seeker, kim)
  await world.settled()
  const page = await open({ as: seeker })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of [
    '/discover',
    '/chat',
    `/chat/${kim.id}`,
    `/viewProfile/${kim.id}`,
    ...['three', 'two', 'settings', 'stage'].map((frame) => `/dev/gallery?frame=${frame}`),
  ]) {
    await page.goto(path)
    if (path === '/discover') await expect(pane(page, 'Next people')).toBeVisible()
    expect(await axeFaults(page), path).toEqual([])
  }
})

for (const script of [true, false])
  test(`whoever has no match reads so once in any window, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const page = await open({ as: await world.member('Lone'), script })
    await page.goto('/chat')
    for (const width of [390, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.getByText('No matches yet').filter({ visible: true }), `${width}`).toHaveCount(1)
      await expect(page.getByRole('searchbox')).toHaveCount(0)
      const room = page.getByText('Select a match to start chatting').filter({ visible: true })
      await expect(room, `${width}`).toHaveCount(width < 768 ? 0 : 1)
      await expect(page.getByText('Your matches are on the left.')).toHaveCount(0)
      await expect(page.getByRole('link', { name: 'Discover people' }).filter({ visible: true })).toHaveCount(1)
    }
  })

test('from 1024 px nobody reads the markup for who has no script, neither before the script comes nor at the end of a deck', async ({
  world,
  open,
}) => {
  const page = await open({ as: await seekerOf(world, 4, ['Gus']) })
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/assets/*.js', (route) => released.then(() => route.continue()))
  const opened = page.goto('/discover')
  await expect(page.getByRole('article')).toBeVisible()
  const isShown = () => page.evaluate(() => /<(aside|ul|form|p)\b/.test(document.body.innerText))
  expect(await isShown()).toBe(false)
  expect(
    (await boxOf(page.locator('.discover'))).y + (await boxOf(page.locator('.discover'))).height,
  ).toBeLessThanOrEqual(800)
  release()
  await opened
  await page.getByRole('button', { name: 'Skip Gus' }).click()
  await expect(page.getByRole('article')).toHaveCount(0)
  expect(await isShown()).toBe(false)
})
