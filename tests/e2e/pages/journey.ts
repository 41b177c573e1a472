import type { Browser, Locator, Page } from 'playwright'
import { expect } from 'playwright/test'
import { addVoice, film } from './recordings.ts'
import { addPhotos, createAccount, fillUntilPhotos, goOn, type Newcomer, proveEmail, step } from './sign-up.ts'

export const card = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(name) })
/** One of the four links of the bar that this window shows. */
export const navLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Main/ }).getByRole('link', { name: new RegExp(`${name}$`) })

/** The newest code that the development mailbox holds for an address. */
export async function codeFromMailbox(page: Page, email: string): Promise<string> {
  const answer = await page.request.get(`/dev/mailbox.json?to=${encodeURIComponent(email)}`)
  const [mail] = (await answer.json()) as { text: string }[]
  return /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? 'no code'
}

/** From the landing page through all six steps, with two photos, a film, a phone number and a voice, to Discover. */
export async function join(
  page: Page,
  newcomer: Newcomer,
  { chromium, script }: { chromium: Browser; script: boolean },
): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).click()
  await proveEmail(page, newcomer)
  await fillUntilPhotos(page, newcomer)
  await addPhotos(page, script, [await film(chromium)])
  await expect(page.getByRole('listitem', { name: 'Video 3' })).toBeVisible()
  await goOn(page)
  await step(page, 5)
  await page.getByLabel('Phone').fill('+35415551234')
  await addVoice(page, script)
  await goOn(page)
  await step(page, 6)
  await expect(page.getByText('+35415551234')).toBeVisible()
  await expect(page.getByText('Recorded', { exact: true })).toBeVisible()
  await createAccount(page)
}

const asks = (page: Page) => page.getByRole('heading', { name: 'Where are you, roughly?' })

/** The field for a town, unfolded where it was folded up above a deck. */
export async function townField(page: Page): Promise<Locator> {
  const field = page.getByLabel('Your town')
  if (!(await field.isVisible())) await asks(page).click()
  return field
}

/** States where one is by a town of the list. */
export async function typeTown(page: Page, town: string): Promise<void> {
  await (await townField(page)).fill(town)
  await page.getByRole('button', { name: 'Set' }).click()
  await expect(asks(page)).toBeHidden()
}

/** The same by the browser's own position, which it may use. */
export async function shareLocation(page: Page, at: { latitude: number; longitude: number }): Promise<void> {
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation(at)
  await page.getByRole('button', { name: 'Use my location' }).click()
  await expect(asks(page)).toBeHidden()
}

export async function sendMessage(page: Page, to: string, text: string): Promise<void> {
  await page.getByLabel(`Message to ${to}`).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText(text)
}
