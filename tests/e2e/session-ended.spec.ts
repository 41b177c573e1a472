import type { Page } from 'playwright'
import { revokeOwing } from '../../usecases/owed.ts'
import { expect, test } from './fixture.ts'

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: who signs in again after a session that ended comes back to the form`, async ({ world, open }) => {
    const ann = await world.member('Ann')
    const page = await open({ as: ann, script, phone: true, refusals: true })
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Edit Profile' }).click()
    await page.waitForURL('**/profile/edit')
    await page.getByRole('link', { name: /^Where you live/ }).click()
    await page.context().clearCookies()
    await page.getByRole('button', { name: /^Save/ }).first().click()
    // Without script the anchor of the form comes along.
    await page.waitForURL(/\/login\?redirectTo=%2Fprofile%2Fedit%3Fsection%3Dplace(#|$)/)
    await page.getByLabel('E-mail').fill(ann.email)
    await page.getByLabel('Password', { exact: true }).fill('not her password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Invalid credentials').first().waitFor()
    await page.getByLabel('Password', { exact: true }).fill(ann.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL('**/profile/edit?section=place*')
    await expect(page.getByRole('button', { name: /^Save/ }).first()).toBeVisible()
  })
}

test('a page that hears of the end leads to the login and back to itself, past a forgotten password', async ({
  world,
  open,
}) => {
  const bea = await world.member('Bea')
  const page = await open({ as: bea })
  const greeted = page
    .waitForEvent('websocket', (socket) => socket.url().endsWith('/realtime'))
    .then((socket) => socket.waitForEvent('framereceived'))
  await page.goto('/profile/privacy')
  await greeted
  await page.context().clearCookies()
  await revokeOwing(world.context, bea.id, (sessions) => sessions.revokeAll(bea.id))
  await page.waitForURL(/\/login\?redirectTo=%2Fprofile%2Fprivacy$/)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeFocused()
  await page.getByLabel('E-mail').fill(bea.email)
  await page.getByLabel('Password', { exact: true }).fill(bea.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/profile/privacy')
})

test('a tab at the login leads where it was asked to, also once another tab signed in', async ({ world, open }) => {
  const cat = await world.member('Cat')
  const page = await open()
  const signIn = async (tab: Page) => {
    await tab.getByLabel('E-mail').fill(cat.email)
    await tab.getByLabel('Password', { exact: true }).fill(cat.password)
    await tab.getByRole('button', { name: 'Log in' }).click()
  }
  const other = await page.context().newPage()
  await other.goto('/login?redirectTo=%2Fprofile%2Fprivacy')
  await page.goto('/login?redirectTo=%2Fprofile%2Fedit')
  await signIn(page)
  await page.waitForURL('**/profile/edit')
  await signIn(other)
  await other.waitForURL('**/profile/privacy')
  for (const [asked, led] of [
    ['%2Fnotifications', '/notifications'],
    ['https%3A%2F%2Fevil.example', '/discover'],
  ]) {
    await page.goto(`/login?redirectTo=${asked}`)
    await expect(page).toHaveURL(`${world.url}${led}`)
  }
})

test('without script the way past a forgotten password leads back as well', async ({ open }) => {
  const page = await open({ script: false })
  await page.goto('/login?redirectTo=%2Fprofile%2Fprivacy')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByLabel('6-digit code').waitFor()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Fprofile%2Fprivacy$/)
})

test('a link of a mail that ends while its page is open leads to a new code, and the way back is kept', async ({
  world,
  open,
}) => {
  const fay = await world.member('Fay')
  const { codes, credentials } = world.services
  const issued = await codes.issue('reset', credentials.emailKey(fay.email))
  const link = issued.ok ? issued.linkToken : ''
  const page = await open({ refusals: true })
  await page.goto(`/forgot-password?link=${link}&redirectTo=%2Fchat`)
  await page.getByLabel('New password', { exact: true }).fill('copper-meadow-77-train')
  await page.getByLabel('Confirm new password').fill('copper-meadow-77-train')
  await codes.verifyLink('reset', link)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid or expired code.')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByRole('alert').getByRole('link')).toHaveCount(0)
  await page.getByRole('link', { name: 'Send me a new code' }).click()
  await expect(page).toHaveURL(`${world.url}/forgot-password?redirectTo=%2Fchat`)
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByLabel('6-digit code')).toBeVisible()
})

test('who signs in again comes back to the newest message of a room', async ({ world, open }) => {
  const [dot, eli] = [await world.member('Dot'), await world.member('Eli')]
  await world.match(dot, eli)
  await world.settled()
  const page = await open({ as: dot, script: false })
  await page.goto('/chat')
  await page.context().clearCookies()
  await page.getByRole('link', { name: /Eli/ }).click()
  await page.getByLabel('E-mail').fill(dot.email)
  await page.getByLabel('Password', { exact: true }).fill(dot.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${world.url}/chat/${eli.id}#newest`)
})
