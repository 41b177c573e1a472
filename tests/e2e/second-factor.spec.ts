import type { Page } from 'playwright'
import { CHALLENGE_MS } from '../../services/sessions/challenges.ts'
import { authenticator, turnOn } from '../support/outside/authenticator.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'

async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Remember Me').check()
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}
const give = async (page: Page, label: string, code: string) => {
  await page.getByLabel(label).fill(code)
  await page.getByRole('button', { name: 'Log in' }).click()
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: the code of the app is asked after the password, and leads where one was going`, async ({
    world,
    open,
  }) => {
    const ann = await world.member('Ann')
    const app = await turnOn(world.services, ann.id)
    const page = await open({ script, phone: true, refusals: true })
    await page.goto('/login?redirectTo=%2Fprofile%2Fedit')
    await logIn(page, ann)
    await expect(page).toHaveURL(/\/login\/code\?redirectTo=%2Fprofile%2Fedit$/)
    const field = page.getByLabel('6-digit code')
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field).toHaveAttribute('inputmode', 'numeric')
    await give(page, '6-digit code', app.wrong())
    await page.getByText('Incorrect code. Please check again.').first().waitFor()
    await give(page, '6-digit code', app.next())
    await page.waitForURL('**/profile/edit')
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name }) => name)).not.toContain('__Host-challenge')
    expect(cookies.find(({ name }) => name === '__Host-buzz')?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400)
  })

  test(`${how}: a recovery code does as well, and the login is a link away`, async ({ world, open }) => {
    const bea = await world.member('Bea')
    const app = await turnOn(world.services, bea.id)
    const page = await open({ script, phone: true, refusals: true })
    await page.goto('/login?redirectTo=%2Fprofile%2Fedit')
    await logIn(page, bea)
    await give(page, '6-digit code', app.wrong())
    await page.getByText('Incorrect code. Please check again.').first().waitFor()
    await page.getByRole('link', { name: 'Use a recovery code' }).click()
    await expect(page.getByLabel('Recovery code')).toBeFocused()
    await expect(page.getByText('Incorrect code. Please check again.')).toHaveCount(0)
    await expect(page.getByLabel('Recovery code')).not.toHaveAttribute('aria-invalid')
    await give(page, 'Recovery code', 'not one of them')
    await page.getByText('Incorrect code. Please check again.').first().waitFor()
    await page.getByRole('link', { name: 'Use the code of your app' }).click()
    await expect(page.getByLabel('6-digit code')).toBeVisible()
    await page.getByRole('link', { name: 'Back to login' }).click()
    await expect(page).toHaveURL(/\/login\?redirectTo=%2Fprofile%2Fedit$/)
    await logIn(page, bea)
    await page.getByRole('link', { name: 'Use a recovery code' }).click()
    await give(page, 'Recovery code', app.recoveryCodes[0]!)
    await page.waitForURL('**/profile/edit')
  })

  test(`${how}: five wrong codes lead back to the login, which says so`, async ({ world, open }) => {
    const cat = await world.member('Cat')
    const app = await turnOn(world.services, cat.id)
    const page = await open({ script, phone: true, refusals: true })
    await page.goto('/login')
    await logIn(page, cat)
    for (let tries = 1; tries < 5; tries++) {
      await give(page, '6-digit code', app.wrong())
      await page.getByText('Incorrect code. Please check again.').first().waitFor()
      await page.goto('/login/code')
    }
    await give(page, '6-digit code', app.wrong())
    await page.getByText('This sign-in is over. Please login again.').waitFor()
    await expect(page).toHaveURL(/\/login\?over=$/)
  })
}

test('without script: the link of the mail takes an account back from who turned 2-step verification on', async ({
  world,
  open,
}) => {
  const eve = await world.member('Eve')
  await turnOn(world.services, eve.id)
  const link = (await world.services.undoLinks.issue(eve.id))?.token
  const page = await open({ script: false, phone: true, refusals: true })
  await page.goto(`/forgot-password?link=${link}`)
  await expect(page.getByRole('heading', { name: 'Take your account back' })).toBeVisible()
  await page.getByText('This also turns 2-step verification off and ends every session').waitFor()
  const send = async (password: string) => {
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Confirm new password').fill(password)
    await page.getByRole('button', { name: 'Reset password and turn 2-step verification off' }).click()
  }
  await send('password123')
  await page.getByText('This one is too common.').first().waitFor()
  await send('copper-meadow-77-train')
  await page.getByText('Password reset successful! 2-step verification is off. Please login.').waitFor()
  await page.getByRole('link', { name: 'Go to login' }).click()
  await page.getByLabel('E-mail').fill(eve.email)
  await page.getByLabel('Password', { exact: true }).fill('copper-meadow-77-train')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.context().clearCookies()
  await page.goto(`/forgot-password?link=${link}`)
  await page.getByText('Invalid or expired code.').waitFor()
})

for (const script of [true, false])
  test(`${script ? 'with script' : 'without script'}: a code that comes too late leads to the login, which says why until it has more to say`, async ({
    world,
    open,
  }) => {
    const eve = await world.member('Eve')
    await turnOn(world.services, eve.id)
    const page = await open({ script, phone: true, refusals: true })
    await page.goto('/login?redirectTo=%2Fprofile%2Fedit')
    await logIn(page, eve)
    const cookies = await page.context().cookies()
    const kept = (cookies.find(({ name }) => name === '__Host-challenge')?.expires ?? 0) * 1_000
    expect(kept, 'the cookie outlives what it stands for').toBeGreaterThan(Date.now() + CHALLENGE_MS)
    await page.context().clearCookies({ name: '__Host-challenge' })
    await give(page, '6-digit code', '123456')
    const over = page.getByText('This sign-in is over. Please login again.')
    await expect(over).toBeVisible()
    await expect(page).toHaveURL(/\/login\?over=&redirectTo=%2Fprofile%2Fedit$/)
    await page.getByLabel('E-mail').fill(eve.email)
    await page.getByLabel('Password', { exact: true }).fill('somebody-elses-77')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByText('Invalid credentials').first()).toBeVisible()
    await expect(over).toHaveCount(0)
  })

test('an app that is set up by the calls is asked for on the page', async ({ world, open }) => {
  const dan = await world.member('Dan')
  const post = async (path: string, body?: object) => {
    const answer = await world.api(path, { as: dan, method: 'POST', ...(body && { body: JSON.stringify(body) }) })
    return answer.json()
  }
  const { secret } = await post('/account/second-factor')
  const app = authenticator(secret, () => new Date())
  await post('/account/second-factor/confirm', { code: app.next() })
  const page = await open({ refusals: true })
  await page.goto('/login')
  await logIn(page, dan)
  await give(page, '6-digit code', app.next())
  await page.waitForURL((url) => url.pathname === '/')
})
