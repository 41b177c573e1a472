import type { Page } from 'playwright'
import { codeOf } from '../../support/newcomers.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import { expect, test } from '../fixture.ts'

const CODE = '6-digit code'
const NEW_PASSWORD = 'copper-meadow-77-train'

async function askForCode(page: Page, email: string): Promise<void> {
  const send = page.getByRole('button', { name: 'Send code' })
  // Until the dialog is there, the login's field is the last one.
  await expect(send).toBeVisible()
  await page.getByLabel('E-mail').last().fill(email)
  await send.click()
  await expect(page.getByLabel(CODE)).toBeVisible()
}

async function reset(page: Page, code: string, password: string, again = password): Promise<void> {
  await page.getByLabel(CODE).fill(code)
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password').fill(again)
  await page.getByRole('button', { name: 'Reset password' }).click()
}

const described = (page: Page, label: string) => page.getByLabel(label, { exact: true })

async function mailedCode(world: World, email: string): Promise<string> {
  await until('the mail is there', () => world.mail(email))
  return codeOf(world, email)
}

/** The login shows what was done and whose it was, and waits for the new password. */
async function goesOnAtTheLogin(page: Page, url: string, email: string) {
  await expect(page).toHaveURL(url)
  await expect(page.getByText('Password reset successful! Please login.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(email)
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`the code of a forgotten password names its address and stays through a reload, ${how}`, async ({
    world,
    open,
  }) => {
    const ann = await world.join(`Reset ${script}`)
    const page = await open({ phone: true, script })
    await page.goto('/forgot-password?redirectTo=%2Fchat')
    await askForCode(page, ann.email)
    for (const way of ['at first', 'read again']) {
      await expect(described(page, CODE), way).toHaveAccessibleDescription(
        `Sent to ${ann.email}. It works for 10 minutes.`,
      )
      await expect(described(page, 'New password')).toHaveAccessibleDescription('At least 6 characters.')
      await expect(page.getByRole('button', { name: /^Resend code/ })).toBeVisible()
      if (way === 'at first') await page.goto('/forgot-password?redirectTo=%2Fchat')
    }
    await page.getByRole('link', { name: 'Use another e-mail' }).click()
    await expect(page).toHaveURL(`${world.url}/forgot-password?redirectTo=%2Fchat`)
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await page.reload()
    await askForCode(page, ann.email)
    await reset(page, await mailedCode(world, ann.email), NEW_PASSWORD)
    const done = page.getByText('Password reset successful! Please login.')
    if (script) await expect(done).toBeFocused()
    else await expect(done).toBeVisible()
    if (script) await goesOnAtTheLogin(page, `${world.url}/login?redirectTo=%2Fchat`, ann.email)
    await page.goto('/forgot-password')
    await expect(page.getByLabel('E-mail'), 'what is done is kept no more').toBeVisible()
  })

  test(`everything that is wrong with a reset is shown in one round, ${how}`, async ({ world, open }) => {
    const bea = await world.join(`Wrong ${script}`)
    const page = await open({ script, refusals: true })
    await page.goto('/forgot-password')
    await askForCode(page, bea.email)
    await reset(page, '12', 'abc', 'abd')
    await expect(described(page, CODE)).toHaveAccessibleDescription(/Please enter the 6-digit code\./)
    await expect(described(page, 'New password')).toHaveAccessibleDescription(
      /Password must be at least 6 characters\./,
    )
    await expect(described(page, 'Confirm new password')).toHaveAccessibleDescription(/Passwords do not match\./)
    const code = await mailedCode(world, bea.email)
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await reset(page, other, 'abcdefg1')
    await expect(described(page, CODE)).toHaveAccessibleDescription(/Invalid or expired code\./)
    await reset(page, code, NEW_PASSWORD)
    await expect(page.getByText('Password reset successful! Please login.')).toBeVisible()
  })
}

test('in the dialog on the login, too: the address, another one, and a code after a minute', async ({
  world,
  open,
}) => {
  const cat = await world.join('Dialog')
  const page = await open()
  await page.clock.install()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  const dialog = page.getByRole('dialog')
  await askForCode(page, cat.email)
  await expect(dialog.getByLabel(CODE)).toBeFocused()
  await expect(dialog.getByText(`Sent to ${cat.email}.`, { exact: false })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Resend code in \d+ s$/ })).toBeDisabled()
  await page.clock.runFor(61_000)
  await dialog.getByRole('button', { name: 'Resend code', exact: true }).click()
  await expect(dialog.getByRole('button', { name: /^Resend code in \d+ s$/ })).toBeDisabled()
  await page.reload()
  await expect(dialog.getByText(`Sent to ${cat.email}.`, { exact: false })).toBeVisible()
  await dialog.getByRole('link', { name: 'Use another e-mail' }).click()
  await expect(dialog.getByLabel('E-mail')).toBeVisible()
})

test('a reset in the dialog goes on at the login behind it', async ({ world, open }) => {
  const dan = await world.join('Behind')
  const page = await open({ phone: true })
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await askForCode(page, dan.email)
  await reset(page, await mailedCode(world, dan.email), NEW_PASSWORD)
  await goesOnAtTheLogin(page, `${world.url}/login`, dan.email)
})

test('the button that sends a code is as high as the same one of the sign-up', async ({ open }) => {
  const page = await open({ phone: true })
  const heights = []
  for (const path of ['/signup', '/forgot-password']) {
    await page.goto(path)
    heights.push((await page.getByRole('button', { name: 'Send code' }).boundingBox())!.height)
  }
  expect(heights[1]).toBe(heights[0])
})
