import type { Page, Request } from 'playwright'
import { codeOf } from '../support/newcomers.ts'
import { turnOn } from '../support/outside/authenticator.ts'
import { expect, test } from './fixture.ts'
import { card, navLink } from './pages/journey.ts'
import { enter, expectModal, tabTo } from './pages/keyboard.ts'
import { fillBasics, step } from './pages/sign-up.ts'

const ANDENES = { lat: 69.31, lng: 16.12 }
const NARVIK = { lat: 68.44, lng: 17.43 }

test('by keyboard alone: sign in, skip, undo, filter, buzz, and close the match', async ({ world, open }) => {
  // Nobody else is of her age: those without a location are near to everyone.
  const ann = await world.member('Ann', { location: ANDENES, preferences: { ageRange: [70, 80], distanceMiles: 5 } })
  const all = { ageRange: [18, 100] as [number, number], distanceMiles: 50 }
  const bea = await world.member('Bea', { location: ANDENES, dob: '1951-03-04', preferences: all })
  await world.buzz(bea, ann)
  await world.settled()
  const page = await open()
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await enter(page, page.getByRole('banner').getByRole('link', { name: 'Login' }))
  await page.waitForURL('**/login')
  await tabTo(page, page.getByLabel('E-mail'))
  await page.keyboard.type(ann.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(ann.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${world.url}/`)
  await enter(page, navLink(page, 'Discover'))

  await expect(card(page, 'Bea')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Bea skipped.')).toBeAttached()
  await expect(card(page, 'Bea')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Undo the last skip' })).toBeEnabled()
  await page.keyboard.press('u')
  await expect(card(page, 'Bea')).toBeVisible()
  await enter(page, page.locator('summary', { hasText: 'Filters' }))
  await tabTo(page, page.getByLabel('Distance'))
  await page.keyboard.press('ArrowDown')
  await enter(page, page.getByRole('button', { name: 'Show people' }))
  await page.waitForURL(/distanceMiles=10\b/)

  // The deck's next cards come when the match is closed already, as on a slow line.
  let letCardsCome = () => {}
  const closed = new Promise<void>((resolve) => {
    letCardsCome = resolve
  })
  await page.route(/\/discover\.data/, async (route) => {
    if (route.request().method() === 'GET') await closed
    await route.continue()
  })
  await tabTo(page, page.getByRole('button', { name: 'Skip Bea' }))
  await enter(page, page.getByRole('button', { name: 'Buzz Bea' }))
  const overlay = page.getByRole('dialog', { name: "It's a match!" })
  await expect(overlay).toBeVisible()
  await expectModal(page, overlay)
  letCardsCome()
  await expect(page.locator('.deck-empty')).toBeFocused()
})

test('by keyboard alone: notifications, Match Back, a message, the menu, and out', async ({ world, open }) => {
  const [cat, dan] = [await world.member('Cat', { location: NARVIK }), await world.member('Dan', { location: NARVIK })]
  const eve = await world.member('Eve', { location: NARVIK })
  for (const other of [dan, eve]) await world.buzz(other, cat)
  await world.settled()
  const page = await open({ as: cat })
  await page.goto('/')
  await enter(page, navLink(page, 'Notifications'))
  const notice = (name: string) => page.getByRole('listitem').filter({ hasText: `${name} wants to match with you` })
  await expect(notice('Dan')).toContainText('unread')
  await enter(page, notice('Dan').locator('summary'))
  await enter(page, notice('Dan').getByRole('button', { name: 'Mark read' }))
  await expect(notice('Dan')).not.toContainText('unread')
  await expect(notice('Dan').locator('summary')).toBeFocused()

  const matchBack = page.getByRole('button', { name: 'Match Back with Eve' })
  await enter(page, matchBack)
  const overlay = page.getByRole('dialog', { name: "It's a match!" })
  await expect(overlay).toBeVisible()
  await expectModal(page, overlay)
  await expect(page.getByRole('link', { name: 'Say hello to Eve' })).toBeFocused()

  await enter(page, navLink(page, 'Chat'))
  await enter(page, page.getByRole('link', { name: /Eve/ }))
  await tabTo(page, page.getByLabel('Message to Eve'))
  await page.keyboard.type('No mouse was used')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log')).toContainText('No mouse was used')
  const menu = page.getByTitle('More about Eve')
  const first = page.getByRole('link', { name: 'View profile' })
  await enter(page, menu)
  await tabTo(page, first)
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await expect(first).toBeHidden()
  await enter(page, page.getByRole('button', { name: 'Signout' }))
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible()
})

test('keys pressed while a page awakes are no error', async ({ world, open }) => {
  const page = await open({ as: await world.member('Fay', { location: NARVIK }) })
  await page.addInitScript(() => {
    const press = () => document.body?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }))
    setInterval(press)
  })
  for (const path of ['/chat', '/notifications', '/', '/chat', '/notifications']) {
    await page.goto(path)
    await expect(page.getByRole('banner')).toBeVisible()
  }
})

/** The wizard keeps its draft by itself while somebody types. */
const isForm = (request: Request) => request.method() === 'POST' && !request.url().includes('/register/draft')

/** Presses Enter twice, as an impatient hand does, and keeps what the first sends waiting until the second is over. */
async function pressTwice(page: Page): Promise<string[]> {
  const sent: string[] = []
  let letThemGo = () => {}
  const pressed = new Promise<void>((resolve) => {
    letThemGo = resolve
  })
  await page.route('**', async (route) => {
    if (isForm(route.request())) {
      sent.push(route.request().url())
      await pressed
    }
    await route.fallback()
  })
  await Promise.all([page.waitForRequest(isForm), page.keyboard.press('Enter')])
  await expect(page.locator('button[aria-disabled="true"]').first()).toBeAttached()
  await page.keyboard.press('Enter')
  // A request after the second press: what that press sends comes before it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  await page.evaluate(() => fetch('/favicon.svg', { cache: 'no-store' }).then((answer) => answer.status))
  letThemGo()
  return sent
}

test('Enter pressed twice sends a form once, and the answer is that of the first', async ({ world, open }) => {
  const eve = await world.member('Eve')
  const app = await turnOn(world.services, eve.id)
  const page = await open()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(eve.email)
  await page.getByLabel('Password', { exact: true }).fill(eve.password)
  expect(await pressTwice(page)).toHaveLength(1)
  await page.getByLabel('6-digit code').fill(app.next())
  expect(await pressTwice(page)).toHaveLength(1)
  await page.waitForURL(`${world.url}/`)

  const link = (await world.services.undoLinks.issue(eve.id))?.token
  await page.goto(`/forgot-password?link=${link}`)
  await page.getByLabel('New password', { exact: true }).fill('copper-meadow-77-train')
  await page.getByLabel('Confirm new password').fill('copper-meadow-77-train')
  const readAgain = page.waitForResponse((one) => one.request().method() === 'GET' && /password\.data/.test(one.url()))
  expect(await pressTwice(page)).toHaveLength(1)
  await readAgain
  await page.getByText('Password reset successful! 2-step verification is off. Please login.').waitFor()
  await expect(page.getByRole('heading', { name: 'Take your account back' })).toBeVisible()

  await page.goto('/forgot-password')
  await page.getByLabel('E-mail').fill(eve.email)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('6-digit code')).toBeFocused()
})

test('Enter pressed twice proves an address once, and ends an account with its goodbye', async ({ world, open }) => {
  const page = await open()
  await page.goto('/signup')
  const email = `twice.${Date.now()}@example.com`
  await page.getByLabel('E-mail').fill(email)
  expect(await pressTwice(page)).toHaveLength(1)
  await page.getByText('Verification code sent to your email.').waitFor()
  await page.getByLabel('6-digit code').fill(await codeOf(world, email))
  expect(await pressTwice(page)).toHaveLength(1)
  await step(page, 1)
  await fillBasics(page, { firstName: 'Twice' })
  await page.getByLabel('Confirm password').focus()
  expect(await pressTwice(page)).toHaveLength(1)
  await step(page, 2)

  const fay = await world.member('Fay')
  const hers = await open({ as: fay })
  await hers.goto('/settings/delete')
  await hers.getByRole('textbox', { name: 'Password' }).fill(fay.password)
  expect(await pressTwice(hers)).toHaveLength(1)
  await hers.getByRole('textbox', { name: 'Type DELETE to confirm' }).fill('DELETE')
  expect(await pressTwice(hers)).toHaveLength(1)
  await expect(hers.getByText('Your account is deleted')).toBeVisible()
})
