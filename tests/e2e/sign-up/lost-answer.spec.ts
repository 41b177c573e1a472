import type { Page } from 'playwright'
import { ACCOUNT_READY } from '../../../app/words/auth-words.ts'
import { codeOf } from '../../support/newcomers.ts'
import { expect, test } from '../fixture.ts'
import { addPhotos, fillUntilPhotos, goOn, PASSWORD, step, verifyEmail } from '../pages/sign-up.ts'

const FORMS = /\/register(\.data)?\?/

/** What the page sends is done, and no answer to it comes back; resolves with its status once it is. */
function loseAnswer(page: Page): Promise<number> {
  return new Promise((resolve) => {
    void page.route(FORMS, async (route) => {
      const request = route.request()
      if (request.method() !== 'POST') return route.continue()
      // Not by the browser, which would keep the cookies of the answer.
      const { host: _, connection: __, 'content-length': ___, ...headers } = await request.allHeaders()
      const init = { method: 'POST', headers, body: request.postData() ?? '', redirect: 'manual' } as const
      const answer = await fetch(request.url(), init)
      await route.abort('connectionreset')
      resolve(answer.status)
    })
  })
}

for (const script of [true, false]) {
  test(`whose account was made, and the answer lost, is led to the login, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const email = `lost${script}.${Date.now()}@example.com`
    const newcomer = { email, firstName: 'Lou', readCode: () => codeOf(world, email) }
    const page = await open({ script, refusals: true })
    await verifyEmail(page, newcomer)
    await fillUntilPhotos(page, newcomer)
    await addPhotos(page, script)
    await goOn(page)
    await step(page, 5)
    await goOn(page)
    await step(page, 6)
    const done = loseAnswer(page)
    const create = page.getByRole('button', { name: 'Create account' })
    await create.click({ noWaitAfter: true })
    expect([202, 302]).toContain(await done)
    await page.unroute(FORMS)
    const other = await page.context().newPage()
    await other.goto(`${world.url}/signup`)
    await expect(other).toHaveURL(/\/login\?ready=/)
    await expect(other.getByRole('heading', { name: 'Welcome to LetsBuzz' })).toBeVisible()
    await expect(other.getByText(ACCOUNT_READY).first()).toBeVisible()
    await other.close()
    if (script) {
      await expect(page.getByText('Registration failed. Please try again.').first()).toBeVisible()
      await create.click()
    } else await page.goto(`${world.url}/register?step=6`)
    await page.waitForURL('**/login?ready=*')
    await expect(page.getByText(ACCOUNT_READY).first()).toBeVisible()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL('**/discover?welcome')
  })
}
