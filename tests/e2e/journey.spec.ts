import type { Page } from 'playwright'
import { expect, test } from './fixture.ts'
import { card, codeFromMailbox, join, navLink, sendMessage, shareLocation, typeTown } from './pages/journey.ts'
import type { Newcomer } from './pages/sign-up.ts'

const REYKJAVIK = { latitude: 64.14, longitude: -21.9 }
const SIGN_UP_MS = 150_000

function newcomer(page: Page, firstName: string, gender: 'Female' | 'Male'): Newcomer {
  const email = `${firstName.toLowerCase()}.${Date.now()}@example.com`
  return { email, firstName, gender, readCode: (to) => codeFromMailbox(page, to) }
}

const overlay = (page: Page) => page.getByRole('dialog', { name: "It's a match!" })
const notices = (page: Page) => page.getByRole('list', { name: 'Your notifications' }).getByRole('listitem')
const matches = (page: Page) => page.getByRole('complementary', { name: 'Matches' }).getByRole('listitem')

test('a newcomer on a phone, from the landing page to a live chat with a member on a desktop', async ({
  world,
  open,
  chromium,
}) => {
  test.setTimeout(SIGN_UP_MS)
  const phone = await open({ phone: true })
  await join(phone, newcomer(phone, 'Nora', 'Female'), { chromium, script: true })
  await shareLocation(phone, REYKJAVIK)
  const desktop = await open({ as: await world.member('Odd', { gender: 'Male' }) })
  await desktop.goto('/discover')
  await typeTown(desktop, 'Reykjavik')

  await phone.getByRole('link', { name: 'Refresh' }).click()
  await expect(card(phone, 'Odd')).toContainText(/less than (0.5|1|2) mi/)
  await phone.getByRole('button', { name: 'Buzz Odd' }).click()
  await expect(navLink(desktop, 'Notifications')).toHaveText(/1 buzz(?!es)/)
  await navLink(desktop, 'Notifications').click()
  await expect(notices(desktop).first()).toContainText('Nora wants to match with you')
  await navLink(desktop, 'Discover').click()
  await desktop.getByRole('button', { name: 'Buzz Nora' }).click()
  for (const page of [phone, desktop]) await expect(overlay(page)).toBeVisible()
  await expect(overlay(phone)).toContainText('You and Odd buzzed each other.')
  await expect(overlay(desktop)).toContainText('You and Nora buzzed each other.')

  await overlay(phone).getByRole('button', { name: 'Keep looking' }).click()
  await expect(navLink(phone, 'Notifications')).toHaveText(/1 new/)
  await sendMessage(desktop, 'Nora', 'Hello from a desktop')
  await expect(navLink(phone, 'Chat')).toHaveText(/1 unread/)
  await navLink(phone, 'Chat').click()
  await expect(matches(phone).first()).toContainText('Hello from a desktop')
  await matches(phone).first().getByRole('link').click()
  await expect(phone.getByRole('log')).toContainText('Hello from a desktop')
  await expect(desktop.getByRole('log').getByLabel('Read')).toBeVisible()
  for (const page of [phone, desktop]) await expect(page.getByRole('status').getByText('Online')).toBeVisible()

  await phone.getByLabel('Message to Odd').pressSequentially('And from')
  await expect(desktop.getByRole('status').getByText('typing…')).toBeVisible()
  await sendMessage(phone, 'Odd', 'And from a phone')
  await expect(desktop.getByRole('log')).toContainText('And from a phone')
  await expect(phone.getByRole('log').getByLabel('Read')).toBeVisible()
  await phone.getByRole('link', { name: 'Back to your matches' }).click()
  await expect(navLink(phone, 'Chat')).not.toHaveText(/unread/)

  await navLink(phone, 'Notifications').click()
  await expect(notices(phone).first()).toContainText('You matched with Odd')
  await navLink(desktop, 'Notifications').click()
  await expect(notices(desktop)).toContainText(['You matched with Nora'])
  await phone.getByRole('button', { name: 'Mark all read' }).click()
  await expect(navLink(phone, 'Notifications')).not.toHaveText(/new|buzz/)
  await phone.context().close()
  await navLink(desktop, 'Chat').click()
  await expect(desktop.getByRole('link', { name: /Nora/ })).toBeVisible()
  await expect(desktop.getByRole('main').getByText('Online')).toBeHidden()
})

test('without script a newcomer on a desktop and a member on a phone come as far, and a reload shows what came', async ({
  world,
  open,
  chromium,
}) => {
  test.setTimeout(SIGN_UP_MS)
  const pia = await world.member('Pia')
  const [phone, desktop] = [await open({ as: pia, phone: true, script: false }), await open({ script: false })]
  await phone.goto('/discover')
  await typeTown(phone, 'Wellington')
  await join(desktop, newcomer(desktop, 'Quin', 'Male'), { chromium, script: false })
  await typeTown(desktop, 'Wellington')

  await phone.reload()
  await phone.getByRole('button', { name: 'Buzz Quin' }).click()
  await desktop.reload()
  await expect(navLink(desktop, 'Notifications')).toHaveText(/1 buzz(?!es)/)
  await navLink(desktop, 'Notifications').click()
  await expect(notices(desktop).first()).toContainText('Pia wants to match with you')
  await navLink(desktop, 'Discover').click()
  await desktop.getByRole('button', { name: 'Buzz Pia' }).click()
  await expect(desktop.getByRole('heading', { name: "It's a match!" })).toBeVisible()
  await sendMessage(desktop, 'Pia', 'Hello from a desktop')

  await phone.reload()
  await expect(navLink(phone, 'Notifications')).toHaveText(/1 new/)
  await expect(navLink(phone, 'Chat')).toHaveText(/1 unread/)
  await navLink(phone, 'Notifications').click()
  await expect(notices(phone).first()).toContainText('You matched with Quin')
  await phone.getByRole('button', { name: 'Mark all read' }).click()
  await expect(navLink(phone, 'Notifications')).not.toHaveText(/new|buzz/)
  await navLink(phone, 'Chat').click()
  await matches(phone).first().getByRole('link').click()
  await expect(phone.getByRole('log')).toContainText('Hello from a desktop')
  await phone.getByRole('button', { name: 'Mark as read' }).click()
  await sendMessage(phone, 'Quin', 'And from a phone')
  await desktop.reload()
  await expect(desktop.getByRole('log')).toContainText('And from a phone')
  await expect(desktop.getByRole('log').getByLabel('Read')).toBeVisible()
})
