import type { Page } from 'playwright'
import { authenticator, turnOn } from '../support/outside/authenticator.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'

async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Remember Me').check()
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
}
const give = async (page: Page, label: string, code: string) => {
  await page.getByLabel(label).fill(code)
  await page.getByRole('button', { name: 'Login' }).click()
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
    await page.getByRole('link', { name: 'Use a recovery code' }).click()
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
