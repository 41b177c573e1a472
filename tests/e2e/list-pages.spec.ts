import type { Locator, Page } from 'playwright'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { PAGE_MAX } from '../../projections/paging.ts'
import { listBlocks } from '../../projections/relations/queries.ts'
import { blocked, matched, minute } from '../support/people.ts'
import { addCrowd } from '../support/templates/crowd.ts'
import type { World } from '../support/world.ts'
import { expect, test } from './fixture.ts'
import { signInAs } from './pages/sign-in.ts'

const NAMES = Array.from({ length: PAGE_MAX + 20 }, (_, n) => `Nr${String(n).padStart(3, '0')}`)
const TOUCH_PX = 44
const SLOW_MS = 180_000

// The crowd comes once: these tests go to one worker.
test.describe.configure({ mode: 'default' })

let people: Promise<{ ann: Awaited<ReturnType<World['join']>>; dan: Awaited<ReturnType<World['join']>> }> | undefined

/** The pictures of the crowd are in the log alone. Ann has more than a page of matches, and Dan has blocked as many. */
async function gathered(world: World) {
  const [ann, dan] = await Promise.all([world.join('Ann'), world.join('Dan')])
  await addCrowd(world, NAMES, (one, n) => [
    [`pair-${pairIdOf(ann.id, one)}`, matched(ann.id, one, minute(n))],
    [`pair-${pairIdOf(dan.id, one)}`, [blocked(dan.id, one, minute(n))]],
  ])
  return { ann, dan }
}
const of = (world: World) => {
  people ??= gathered(world)
  return people
}

const matchesOf = (page: Page) => page.getByRole('complementary', { name: 'Matches' })
const more = (page: Page) => page.getByRole('link', { name: 'Show more' })

async function expectRoomForAThumb(link: Locator): Promise<void> {
  const box = await link.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(TOUCH_PX)
  const around = await link.locator('..').evaluate((row) => Number.parseFloat(getComputedStyle(row).paddingBlockEnd))
  expect(around).toBeGreaterThanOrEqual(8)
}

for (const phone of [false, true]) {
  const where = phone ? 'on a phone' : 'on a desktop'

  test(`${where}: a page of the chat's list begins at its top, and stays beside its rooms`, async ({ world, open }) => {
    test.setTimeout(SLOW_MS)
    const { ann } = await of(world)
    const page = await open({ as: ann, phone, refusals: true })
    await page.goto('/chat')
    const list = matchesOf(page).getByRole('list')
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expectRoomForAThumb(more(page))
    await more(page).click()
    const first = list.getByRole('listitem').first()
    await expect(first).toBeFocused()
    await expect(first).toContainText('Nr019')
    expect(await list.evaluate((box) => box.scrollTop)).toBe(0)

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Nr019', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(/\/chat\/[^?]+\?after=/)
    if (!phone) await expect(matchesOf(page).locator('[aria-current=page]')).toContainText('Nr019')
    if (phone) await page.getByRole('link', { name: 'Back to your matches' }).click()
    else await matchesOf(page).getByRole('link', { name: /Nr010/ }).click()
    await expect(matchesOf(page).getByRole('link', { name: /Nr019/ })).toBeVisible()
    await expect(page).toHaveURL(/\?after=/)
    await matchesOf(page).getByRole('link', { name: 'Back to the first' }).click()
    await expect(first).toBeFocused()
    await expect(first).toContainText('Nr069')
    await page.goBack()
    await expect(first).toContainText('Nr019')
  })

  test(`${where}: a page of a list in a dialog, and of one below others, begins at its top`, async ({
    world,
    open,
  }) => {
    test.setTimeout(SLOW_MS)
    const { ann, dan } = await of(world)
    const page = await open({ phone, refusals: true })
    for (const [as, path, list] of [
      [ann, '/profile?show=matches', '#people'],
      [dan, '/profile/privacy', '#blocked-people'],
    ] as const) {
      await signInAs(page, world, as)
      await page.goto(path)
      const first = page.locator(list).getByRole('listitem').first()
      await expect(first).toContainText('Nr069')
      await expectRoomForAThumb(more(page))
      await more(page).focus()
      await page.keyboard.press('Enter')
      await expect(first).toBeFocused()
      await expect(first).toContainText('Nr019')
      await expect(first).toBeInViewport({ ratio: 1 })
      const heading = page.getByRole('heading', { name: /^(Matches|Blocked people)$/ })
      await expect(heading).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Tab')
      expect(await first.evaluate((item) => item.contains(document.activeElement))).toBe(true)
    }
  })
}

test("without script a page of the chat's list stays beside its rooms, and after a message", async ({
  world,
  open,
}) => {
  test.setTimeout(SLOW_MS)
  const page = await open({ as: (await of(world)).ann, script: false, refusals: true })
  await page.goto('/chat')
  await more(page).click()
  await matchesOf(page).getByRole('link', { name: /Nr015/ }).click()
  await expect(matchesOf(page).locator('[aria-current=page]')).toContainText('Nr015')
  await page.getByLabel('Message to Nr015').fill('Hello there')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText('Hello there')
  await expect(page).toHaveURL(/\?after=/)
})

test('who unblocks on a later page stays there, at the next member', async ({ world, open }) => {
  test.setTimeout(SLOW_MS)
  const page = await open({ as: (await of(world)).dan, refusals: true })
  await page.goto('/profile/privacy')
  await more(page).click()
  const rows = page.locator('#blocked-people').getByRole('listitem')
  await expect(rows.first()).toContainText('Nr019')
  await page.getByRole('button', { name: /^Unblock Nr010/ }).click()
  await expect(page.getByText(/^Unblocked Nr010/)).toBeVisible()
  await expect(rows.filter({ hasText: 'Nr010' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'Nr009' })).toBeFocused()
  await expect(page).toHaveURL(/\?after=[^#]+#blocked$/)
  await expect(rows.first()).toContainText('Nr019')
  await page.getByRole('button', { name: /^Unblock Nr000/ }).click()
  await expect(rows.filter({ hasText: 'Nr001' })).toBeFocused()
})

test('who unblocks the last ones, one before the answer for the other, hears of both and that nobody is blocked', async ({
  world,
  open,
}) => {
  const [kim, lou, max] = [await world.member('Kim'), await world.member('Lou'), await world.member('Max')]
  for (const other of [lou, max]) await world.block(kim, other)
  await world.settled()
  const page = await open({ as: kim })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(`**/block/${lou.id}*`, async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    await answered
    await route.fulfill({ response }).catch(() => undefined)
  })
  await page.goto('/profile/privacy')
  await page.getByRole('button', { name: 'Unblock Lou' }).click()
  await expect.poll(async () => (await listBlocks(world.read, kim.id)).items.length).toBe(1)
  await page.getByRole('button', { name: 'Unblock Max' }).click()
  await expect(page.getByText('Unblocked Lou.')).toBeVisible()
  await expect(page.getByText('Unblocked Max.')).toBeVisible()
  answer()
  await expect(page.getByText('No one blocked.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Blocked people' })).toBeFocused()
})

test('the search box says what is searched, and keeps the focus', async ({ world, open }) => {
  test.setTimeout(SLOW_MS)
  const page = await open({ as: (await of(world)).ann, refusals: true })
  await page.goto('/chat')
  const box = page.getByRole('searchbox', { name: 'Search matches' })
  await box.fill('zzz')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(matchesOf(page).getByRole('link', { name: /Nr069/ })).toBeVisible()
  await expect(box).toHaveValue('')
  await page.goBack()
  await expect(box).toHaveValue('zzz')
  await page.getByRole('navigation').getByRole('link', { name: 'Chat' }).first().click()
  await expect(box).toHaveValue('')

  await more(page).click()
  await expect(matchesOf(page).getByRole('link', { name: /Nr019/ })).toBeVisible()
  await box.fill('Nr06')
  await page.keyboard.press('Enter')
  await expect(matchesOf(page).getByRole('link', { name: /Nr060/ })).toBeVisible()
  await expect(box).toBeFocused()

  await test.step('a search leaves the open room as it is', async () => {
    await page.goto('/chat')
    await matchesOf(page).getByRole('link', { name: /Nr065/ }).click()
    await page.getByLabel('Message to Nr065').fill('Half a sentence')
    for (const words of ['Nr06', 'zzz']) {
      await page.getByRole('searchbox').fill(words)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/chat/[^?]+\\?q=${words}$`))
    }
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(matchesOf(page).getByRole('link', { name: /Nr030/ })).toBeVisible()
    await expect(page.getByLabel('Message to Nr065')).toHaveValue('Half a sentence')
  })
})
