import type { Page } from 'playwright'
import { codeOf } from '../../support/newcomers.ts'
import { expect, test } from '../fixture.ts'

const CODE = '6-digit code'

async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByLabel(CODE)).toBeVisible()
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel(CODE).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

/** Another code than this one. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`the code step survives a reload and Back until another address is chosen, ${how}`, async ({ world, open }) => {
    const page = await open({ phone: true, script })
    const email = `kept-${script}@example.com`
    await page.goto('/')
    await askForCode(page, email)
    await page.goto('/signup')
    await expect(page.getByText(`Sent to ${email}.`, { exact: false })).toBeVisible()
    await page.goto('/terms')
    await page.goBack()
    await expect(page.getByLabel(CODE)).toBeVisible()
    await page.goto('/signup')
    await giveCode(page, await codeOf(world, email))
    await page.waitForURL('**/register*')

    await askForCode(page, `other-${email}`)
    await page.getByRole('link', { name: 'Use another e-mail' }).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('E-mail')).toBeVisible()
  })

  test(`a code that was tried too often asks for a new one, ${how}`, async ({ world, open }) => {
    const page = await open({ script, refusals: true })
    const email = `used-${script}@example.com`
    await askForCode(page, email)
    const code = await codeOf(world, email)
    for (let tries = 0; tries < 5; tries++) {
      await giveCode(page, other(code))
      await expect(page.getByLabel(CODE)).toHaveAccessibleDescription(/Incorrect code/)
    }
    await giveCode(page, code)
    await expect(page.getByLabel(CODE)).toHaveAccessibleDescription(/Invalid or expired code. Ask for a new one below./)
  })
}

test('a wrong code leaves the countdown to a new one as it runs', async ({ world, open }) => {
  const page = await open({ refusals: true })
  await page.clock.install()
  const email = 'count@example.com'
  await askForCode(page, email)
  const resend = page.getByRole('button', { name: /^Resend code in \d+ s$/ })
  await expect(resend).toBeVisible()
  await page.clock.runFor(40_000)
  const left = async () => Number(/\d+/.exec((await resend.textContent()) ?? '')?.[0])
  await expect.poll(left).toBeLessThanOrEqual(20)
  await giveCode(page, other(await codeOf(world, email)))
  await expect(page.getByLabel(CODE)).toHaveAccessibleDescription(/Incorrect code/)
  expect(await left()).toBeLessThanOrEqual(20)
})

test('after each step of signing up and in, the focus is on what comes next', async ({ world, open }) => {
  const page = await open({ phone: true })
  const email = 'focus@example.com'
  await askForCode(page, email)
  await expect(page.getByLabel(CODE)).toBeFocused()
  await giveCode(page, await codeOf(world, email))
  await expect(page.getByRole('heading', { name: 'About you' })).toBeFocused()

  const ann = await world.member('Ann')
  const other = await open()
  await other.goto('/login')
  await other.getByLabel('E-mail').fill(ann.email)
  await other.getByLabel('Password', { exact: true }).fill(ann.password)
  await other.getByRole('button', { name: 'Log in' }).click()
  await other.waitForURL(`${world.url}/`)
  await expect(other.getByRole('heading', { name: 'Hi Ann' })).toBeFocused()
})

test('Escape in the dialog of a forgotten password leaves the focus on the page behind it', async ({ open }) => {
  const page = await open()
  for (const way of ['by its link', 'by its address']) {
    await page.goto(way === 'by its link' ? '/login' : '/login?forgot')
    const opener = page.getByRole('link', { name: 'Forgot password?' })
    if (way === 'by its link') await opener.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const next = way === 'by its link' ? opener : page.getByRole('heading', { name: 'Welcome back' })
    await expect(next, way).toBeFocused()
  }
})
