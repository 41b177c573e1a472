import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { waitsUntilAwake } from '../pages/awake.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Your notifications' }).getByRole('listitem')
const overlay = (page: Page) => page.getByRole('dialog', { name: "It's a match!" })
const picture = (page: Page, name: string) => rows(page).filter({ hasText: name }).locator('.avatar img')

test('a request becomes the match where it stands: clear, with Say hello, and nothing to match back', async ({
  world,
  open,
}) => {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  for (const other of [bea, cat]) await world.buzz(other, ann)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto('/notifications')
  await expect(rows(page)).toContainText(['Cat wants', 'Bea wants'])
  const blurred = await picture(page, 'Bea').getAttribute('src')
  await page.getByRole('button', { name: 'Match Back with Bea' }).click()
  await expect(overlay(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows(page)).toContainText(['Cat wants', 'You matched with Bea'])
  await expect(page.getByRole('link', { name: 'Say hello to Bea' })).toBeFocused()
  await expect(page.getByRole('button', { name: /Match Back/ })).toHaveCount(1)
  await expect(picture(page, 'Bea')).not.toHaveAttribute('src', blurred!)

  await world.sendMessage(bea, ann, 'Hello back')
  await world.settled()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Say hello to Bea' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Open chat with Bea' })).toBeVisible()

  await world.unmatch(bea, ann)
  await expect(rows(page)).toContainText(['Cat wants'])
  await expect(rows(page)).toHaveCount(1)
})

test('the focus stays in the list when its row is removed', async ({ world, open }) => {
  const dan = await world.member('Dan')
  for (const name of ['Eve', 'Fay']) await world.buzz(await world.member(name), dan)
  await world.settled()
  const page = await open({ as: dan })
  await page.goto('/notifications')
  const remove = async (name: string) => {
    const row = rows(page).filter({ hasText: name })
    await row.locator('summary').focus()
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
  }
  await remove('Fay')
  await expect(rows(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Eve wants/ })).toBeFocused()
  await remove('Eve')
  await expect(page.getByText('Nothing here yet')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeFocused()
})

test('a buzz and a message are toasts with a face where the page does not have them, and counted in its title', async ({
  world,
  open,
}) => {
  const [gil, hen, ida] = [await world.member('Gil'), await world.member('Hen'), await world.member('Ida')]
  await world.match(ida, gil)
  await world.settled()
  const page = await open({ as: gil })
  await page.goto('/profile')
  await expect(page).toHaveTitle(/^[^(]/)
  const toasts = page.locator('.toast')
  await world.buzz(hen, gil)
  await expect(toasts).toContainText('Hen buzzed you.')
  await expect(toasts.locator('img')).toHaveCount(1)
  await expect(page).toHaveTitle(/^\(1\) /)
  await world.sendMessage(ida, gil, 'Hello')
  await expect(toasts.filter({ hasText: 'Ida sent you a message.' })).toBeVisible()
  await expect(page).toHaveTitle(/^\(2\) /)

  await toasts.filter({ hasText: 'Ida' }).getByRole('link', { name: 'Reply' }).click()
  await expect(page.getByRole('log')).toContainText('Hello')
  await expect(page).toHaveTitle('(1) Ida · LetsBuzz')
  await expect(toasts.filter({ hasText: 'Ida' })).toHaveCount(0)
  await world.sendMessage(ida, gil, 'And again')
  await expect(page.getByRole('log')).toContainText('And again')
  await page.getByRole('navigation').getByRole('link', { name: 'Notifications' }).first().click()
  await page.waitForURL('**/notifications')
  await toasts
    .getByRole('button', { name: 'Dismiss' })
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).click()))
  await world.buzz(await world.member('Jo'), gil)
  await expect(rows(page).filter({ hasText: 'Jo wants to match with you' })).toBeVisible()
  await expect(toasts).toHaveCount(0)
})

test('of two tabs that are looked at, one shows the match and the other has a toast', async ({ world, open }) => {
  const [kim, lou] = [await world.member('Kim'), await world.member('Lou')]
  await world.buzz(kim, lou)
  await world.settled()
  const first = await open({ as: kim })
  const second = waitsUntilAwake(await first.context().newPage())
  for (const page of [first, second]) await page.goto(`${world.url}/profile`)
  await world.buzz(lou, kim)
  const shown = async () => [await overlay(first).count(), await overlay(second).count()]
  await expect.poll(async () => (await shown()).reduce((sum, one) => sum + one)).toBe(1)
  const other = (await shown())[0] ? second : first
  await expect(other.locator('.toast')).toContainText("It's a match with Lou.")
  expect((await shown()).reduce((sum, one) => sum + one)).toBe(1)
})

test('a click before the script arrives shows one match: its page, and no scene before it', async ({ world, open }) => {
  const [max, nia] = [await world.member('Max'), await world.member('Nia')]
  await world.buzz(nia, max)
  await world.settled()
  const page = await open({ as: max })
  const scenes: string[] = []
  page.on('request', (request) => /\/match\/\w+\.data\?live/.test(request.url()) && scenes.push(request.url()))
  let letScriptCome = () => {}
  let letAnswerCome = () => {}
  const script = new Promise<void>((resolve) => {
    letScriptCome = resolve
  })
  const answer = new Promise<void>((resolve) => {
    letAnswerCome = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await script
    await route.continue()
  })
  await page.route('**/notifications', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    await answer
    await route.fulfill({ response })
  })
  void page.goto('/notifications').catch(() => undefined)
  const heard = page
    .waitForEvent('websocket')
    .then((socket) => socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"name":"match"')))
  await page.getByRole('button', { name: 'Match Back with Nia' }).click({ noWaitAfter: true })
  letScriptCome()
  await heard
  await page.waitForResponse((one) => one.url().includes('/notifications.data') && one.request().method() === 'GET')
  letAnswerCome()
  await page.waitForURL(`**/match/${nia.id}`)
  await expect(page.getByRole('heading', { name: "It's a match!" })).toBeVisible()
  await expect(overlay(page)).toHaveCount(0)
  expect(scenes).toEqual([])
})

test('the scene is a regular hexagon with its title on one line, and openers fill its box', async ({ world, open }) => {
  const [ola, pia] = [await world.member('Ola'), await world.member('Pia')]
  await world.match(pia, ola)
  await world.settled()
  for (const phone of [true, false]) {
    const page = await open({ as: ola, phone })
    await page.goto(`/match/${pia.id}`)
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
    const cell = (await page.locator('.match-cell').boundingBox())!
    expect(cell.width / cell.height).toBeCloseTo(Math.sqrt(3) / 2, 2)
    const title = page.getByRole('heading', { name: "It's a match!" })
    const lines = await title.evaluate(
      (one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight),
    )
    if (!phone) expect(Math.round(lines)).toBe(1)
    const openers = page.getByRole('list', { name: 'Ways to begin with Pia' }).getByRole('link')
    await expect(openers).toHaveCount(3)
    const texts = await openers.allTextContents()
    expect(new Set(texts).size).toBe(3)
    const box = page.getByLabel('Message to Pia')
    await openers.nth(0).click()
    await expect(box).toHaveValue(texts[0]!)
    await openers.nth(2).click()
    await expect(box).toHaveValue(texts[2]!)
    await expect(box).toBeFocused()
  }
})

test('where motion is reduced the scene stands still at once', async ({ world, open }) => {
  const [quin, rae] = [await world.member('Quin'), await world.member('Rae')]
  await world.match(rae, quin)
  await world.settled()
  const page = await open({ as: quin })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`/match/${rae.id}`)
  const moving = () =>
    document.querySelectorAll('.match-scene, .match-scene *').length && document.getAnimations().length
  expect(await page.evaluate(moving)).toBe(0)
})
