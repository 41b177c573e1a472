import type { Page } from 'playwright'
import sharp from 'sharp'

/** Who signs up; `readCode` opens the mailbox. A woman who looks for men unless stated otherwise. */
export type Newcomer = {
  email: string
  firstName: string
  gender?: 'Female' | 'Male'
  readCode: (email: string) => Promise<string>
}
export const PASSWORD = 'quiet-lanterns-42'

/** A picture as a camera gives it. */
export async function picture(name: string, hue: number) {
  const background = { r: hue, g: 140, b: 255 - hue }
  const plain = sharp({ create: { width: 480, height: 640, channels: 3, background } })
  return { name, mimeType: 'image/jpeg', buffer: await plain.jpeg().toBuffer() }
}

/** From sign-up to a verified address: the wizard's first step. */
export async function verifyEmail(page: Page, newcomer: Newcomer): Promise<void> {
  await page.goto('/signup')
  await proveEmail(page, newcomer)
}

/** The same where the page of sign-up is open already. */
export async function proveEmail(page: Page, { email, readCode }: Newcomer): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByText('Verification code sent to your email.').waitFor()
  await page.getByLabel('6-digit code').fill(await readCode(email))
  await page.getByRole('button', { name: 'Verify' }).click()
  await step(page, 1)
}

/** Waits for a step of the wizard. */
export async function step(page: Page, number: number): Promise<void> {
  await page.getByText(`Step ${number} of 6`).waitFor()
}

export async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
}

export async function fillBasics(
  page: Page,
  { firstName, gender = 'Female' }: Pick<Newcomer, 'firstName' | 'gender'>,
): Promise<void> {
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByLabel('Date of birth').fill('1994-05-17')
  await page.getByLabel('Gender', { exact: true }).selectOption(gender)
  await page.getByRole('radio', { name: 'Long-term' }).check()
  await page.getByRole('checkbox', { name: gender === 'Female' ? 'Men' : 'Women', exact: true }).check()
}

export async function fillInterests(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name, exact: true }).check()
}

type UploadFile = { name: string; mimeType: string; buffer: Buffer }

/** Two photos and what else there is, by the upload of the page or by the plain form. */
export async function addPhotos(page: Page, script: boolean, more: readonly UploadFile[] = []): Promise<void> {
  const files = [await picture('first.jpg', 40), await picture('second.jpg', 200), ...more]
  await page.locator('input[name=file]').setInputFiles(files)
  if (!script) await page.getByRole('button', { name: 'Upload' }).click()
  await page
    .getByRole('list', { name: 'Your photos and videos' })
    .getByRole('listitem')
    .nth(files.length - 1)
    .waitFor()
  await page.getByRole('listitem', { name: 'Photo 2' }).waitFor()
}

/** The first three steps of the wizard, to the photos. */
export async function fillUntilPhotos(page: Page, newcomer: Newcomer): Promise<void> {
  await fillBasics(page, newcomer)
  await goOn(page)
  await step(page, 2)
  await page.getByLabel('How far away, in miles').fill('50')
  await goOn(page)
  await step(page, 3)
  await fillInterests(page, ['Music', 'Travel'])
  await goOn(page)
  await step(page, 4)
}

/** From the last step to Discover. */
export async function createAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/discover?welcome')
}

/** The whole way to Discover. */
export async function signUp(page: Page, newcomer: Newcomer, script: boolean): Promise<void> {
  await verifyEmail(page, newcomer)
  await fillUntilPhotos(page, newcomer)
  await addPhotos(page, script)
  await goOn(page)
  await step(page, 5)
  await goOn(page)
  await step(page, 6)
  await createAccount(page)
}
