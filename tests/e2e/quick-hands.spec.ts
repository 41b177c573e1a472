import type { Page } from 'playwright'
import { memberDecider } from '../../domain/identity/member.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'
import { enter, tabTo } from './pages/keyboard.ts'

const BODO = { lat: 67.28, lng: 14.4 }
const NAMES = ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gus', 'Hal', 'Ida', 'Jo', 'Kim', 'Lou']

test('a key kept down decides once, and past the last card that came the page says what it waits for', async ({
  world,
  open,
}) => {
  const ann = await world.member('Ann', { location: BODO })
  await Promise.all(NAMES.map((name) => world.join(name, { location: BODO })))
  await world.settled()
  const page = await open({ as: ann })
  await page.goto('/discover')
  const decisions: string[] = []
  let letAnswersCome = () => {}
  const quick = new Promise<void>((resolve) => {
    letAnswersCome = resolve
  })
  await page.route(/\/discover\.data/, async (route) => {
    if (route.request().method() === 'POST') decisions.push(route.request().postData() ?? '')
    await quick
    await route.continue()
  })
  await tabTo(page, page.getByRole('button', { name: 'Next photo' }))
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: /^Skip / }).focus()
  for (let n = 0; n < 5; n++) await page.keyboard.down('ArrowLeft')
  await page.keyboard.up('ArrowLeft')
  await expect.poll(() => decisions.length).toBe(1)

  await expect(page.getByRole('button', { name: 'Undo the last skip' })).toBeDisabled()
  for (let n = 0; n < 9; n++) await page.keyboard.press('Enter')
  await expect(page.getByText('Looking for more people…')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Undo the last skip' })).toBeHidden()
  letAnswersCome()
  await expect(page.getByRole('button', { name: /^Skip / })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Undo the last skip' })).toBeEnabled()
})

test('a card that comes back while it leaves is on the deck once', async ({ world, open }) => {
  const location = { lat: -36.85, lng: 174.76 }
  const max = await world.member('Max', { location })
  for (const name of ['Ylva', 'Zora']) await world.member(name, { location })
  await world.settled()
  const page = await open({ as: max })
  await page.clock.install()
  await page.goto('/discover')
  const skip = page.getByRole('button', { name: /^Skip (Ylva|Zora)$/ })
  await expect(skip).toBeVisible()
  // No card has left before the clock goes on.
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const first = (await skip.getAttribute('title')) ?? ''
  await skip.click()
  await expect(skip).not.toHaveAccessibleName(first)
  await page.getByRole('button', { name: 'Undo the last skip' }).click()
  await expect(skip).toHaveAccessibleName(first)
  const back = page.locator('.deck-card', { hasText: first.replace('Skip ', '') })
  await expect(back).toHaveCount(1)
})

test('whoever was skipped is back on top after an undo, also after a reload, and can be decided in the same moment', async ({
  world,
  open,
}) => {
  const location = { lat: 66.31, lng: 14.14 }
  const max = await world.member('Max', { location })
  for (const name of ['Ylva', 'Zora', 'Yuki']) await world.member(name, { location })
  await world.settled()
  const page = await open({ as: max })
  await page.goto('/discover')
  const skip = page.getByRole('button', { name: /^Skip / })
  const undo = page.getByRole('button', { name: 'Undo the last skip' })
  const first = (await skip.getAttribute('title')) ?? ''
  await skip.click()
  await expect(undo).toBeEnabled()
  await page.reload()
  await expect(skip).not.toHaveAccessibleName(first)
  await undo.click()
  await expect(skip).toHaveAccessibleName(first)

  await test.step('in the same moment', async () => {
    await page.addInitScript(() => Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 1_000 }))
    await page.goto('/discover')
    const top = (await skip.getAttribute('title')) ?? ''
    await skip.click()
    await undo.click()
    await expect(skip).toHaveAccessibleName(top)
    await skip.click()
    await expect(skip).not.toHaveAccessibleName(top)
  })
})

for (const script of [true, false])
  test(`whoever an undo brings back is on top, however many are nearer, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const here = { lat: script ? 65.9 : 62.11, lng: 10.39 }
    const max = await world.member('Max', { location: here, preferences: { ageRange: [18, 100], distanceMiles: 50 } })
    await world.member('Zora', { location: { ...here, lat: here.lat + 0.2 } })
    await world.settled()
    const page = await open({ as: max, script })
    await page.goto('/discover')
    await page.getByRole('button', { name: 'Skip Zora' }).click()
    await expect(page.getByRole('button', { name: 'Skip Zora' })).toBeHidden()
    await Promise.all(Array.from({ length: 11 }, () => world.join('Ylva', { location: here })))
    await world.settled()
    await page.goto('/discover')
    await expect(page.getByRole('button', { name: 'Skip Ylva' })).toBeVisible()
    await page.getByRole('button', { name: 'Undo the last skip' }).click()
    await expect(page.getByRole('button', { name: 'Skip Zora' })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Skip Zora' }).click()
    await expect(page.getByRole('button', { name: 'Skip Ylva' })).toBeVisible()
  })

test('the deck says what an undo or a refusal did, and the same again when it happens again', async ({
  world,
  open,
}) => {
  const location = { lat: 70.66, lng: 23.68 }
  const [max, yuki] = [await world.member('Max', { location }), await world.member('Yuki', { location })]
  await world.settled()
  const page = await open({ as: max, refusals: true })
  await page.goto('/discover')
  const news = page.getByRole('main').getByRole('status')
  const undo = page.getByRole('button', { name: 'Undo the last skip' })
  for (let round = 0; round < 2; round++) {
    await page.getByRole('button', { name: 'Skip Yuki' }).click()
    await expect(news).toHaveText('Yuki skipped.')
    await undo.click()
    await expect(news).toHaveText('Yuki is back.')
    await expect(page.getByRole('article', { name: /Yuki/ })).toBeVisible()
  }

  await page.getByRole('button', { name: 'Skip Yuki' }).click()
  await expect(undo).toBeEnabled()
  await page.goto('/discover?ageMin=80&ageMax=90')
  await undo.click()
  await expect(page.getByText('Yuki is back, but outside these filters.')).toBeVisible()

  await page.goto('/discover?filters=none')
  await expect(page.getByRole('button', { name: 'Buzz Yuki' })).toBeVisible()
  await world.buzz(max, yuki)
  await page.getByRole('button', { name: 'Buzz Yuki' }).click()
  await expect(page.getByText("You've already buzzed this user.")).toBeVisible()
  await expect(news).toHaveText('')
})

test('an age can be typed anew, and refused forms take the focus each time', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea', { location: BODO }), phone: true })
  await page.goto('/discover')
  await page.locator('summary', { hasText: 'Filters' }).click()
  const from = page.getByRole('spinbutton', { name: 'From' })
  await from.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('25')
  await expect(from).toHaveValue('25')

  const ghost = await open({ refusals: true })
  await ghost.goto('/login')
  await ghost.getByLabel('E-mail').fill('nobody@example.com')
  for (const _ of ['first', 'again']) {
    await ghost.getByLabel('Password', { exact: true }).fill('a wrong password')
    await enter(ghost, ghost.getByRole('main').getByRole('button', { name: /Log ?in/i }))
    await expect(ghost.getByRole('alert')).toBeFocused()
  }
})

test('what is typed into a search or a filter while its answer is on its way stays, and so does the focus; on Back it is as it was asked', async ({
  world,
  open,
}) => {
  test.setTimeout(120_000)
  const me = await world.member('Cleo', { location: BODO })
  const role = { type: 'GrantRole', member: me.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.context.dispatch(memberDecider, role, { commandId: world.newCommand(), actor: 'admin:test' })
  // Who has no match has nothing to search.
  await world.match(me, await world.member('Annika', { location: BODO }))
  await world.settled()
  const page = await open({ as: me, refusals: true })
  for (const [path, button, label, first, then] of [
    ['/chat', null, 'Search matches', 'an', 'ann'],
    ['/audit', 'Find', 'Account', 'nobody', 'nobody else'],
    [`/audit/${me.id}`, 'Show', 'From', '2026-01-02', '2026-01-03'],
    [`/audit/${me.id}/state`, 'Show', 'Revision', '1', '12'],
    ['/discover', 'Show people', 'From', '25', '26'],
  ] as const) {
    await page.goto(path)
    if (path === '/discover') await page.locator('summary', { hasText: 'Filters' }).click()
    const box = page.getByRole('main').getByLabel(label, { exact: false }).first()
    let letAnswersCome = () => {}
    const quick = new Promise<void>((resolve) => {
      letAnswersCome = resolve
    })
    await page.route(/\.data/, async (route) => {
      await quick
      await route.continue()
    })
    await box.fill(first)
    const asked = page.waitForRequest((request) => request.url().includes(encodeURIComponent(first)))
    if (button) await page.getByRole('button', { name: button, exact: true }).click()
    else await page.keyboard.press('Enter')
    await asked
    await box.fill(then)
    letAnswersCome()
    await page.waitForURL((url) => url.search.includes(encodeURIComponent(first)))
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await expect(box).toHaveValue(then)
    if (path !== '/discover') await expect(box, path).toBeFocused()
    await page.unroute(/\.data/)
  }
  await test.step('on Back, every field shows what its page was asked for', () => expectAsAsked(page, me))
})

async function expectAsAsked(page: Page, me: Person): Promise<void> {
  for (const [path, button, typed, chosen] of [
    [`/audit/${me.id}/state`, 'Show', ['revision', '0'], ['stream', `profile-${me.id}`]],
    ['/discover?filters=none', 'Show people', ['ageMin', '25'], ['vibe', 'friends']],
  ] as const) {
    await page.goto(path)
    const form = page.locator('main form[method="get"]')
    const [box, select] = [form.locator(`input[name=${typed[0]}]`), form.locator(`select[name=${chosen[0]}]`)]
    const before = [await box.inputValue(), await select.inputValue()]
    const now = async () => [await box.inputValue(), await select.inputValue()]
    for (let round = 0; round < 2; round++) {
      await form.evaluate((element) => element.closest('details')?.setAttribute('open', ''))
      await box.fill(typed[1])
      await select.selectOption(chosen[1])
      await form.getByRole('button', { name: button, exact: true }).click()
      await page.waitForURL((url) => url.searchParams.has(typed[0]))
      await expect.poll(now).toEqual([typed[1], chosen[1]])
      await page.goBack()
      await page.waitForURL((url) => !url.searchParams.has(typed[0]))
      await expect.poll(now).toEqual(before)
    }
  }
}
