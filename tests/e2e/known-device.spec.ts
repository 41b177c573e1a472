import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { startWorld } from '../support/programs/bundled-world.ts'
import { until } from '../support/until.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { expect, test } from './fixture.ts'

/** With the limits that the others do without: among them is the one that a known device has for itself. */
let world: World
test.beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
})
test.afterAll(() => world?.stop())
// One world is enough for both.
test.describe.configure({ mode: 'default', timeout: 120_000 })

const DEVICE = '__Host-device'
const ownCookies = async (page: Page) => (await page.context().cookies()).map(({ name }) => name)

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/login?redirectTo=%2Fsettings%2Fdelete')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/settings\/delete/)
}

/** As if somebody who has the address alone had guessed from elsewhere, until the account is throttled. */
async function guessedAt({ services }: World, { email }: Person): Promise<void> {
  const emailKey = services.credentials.emailKey(email)
  for (let n = 0; n < 12; n++) await services.loginGuard.before({ emailKey })
  expect((await services.loginGuard.before({ emailKey })).ok).toBe(false)
}

/** How many mails have announced a sign-in on a new device. */
async function announced({ product }: World, { email }: Person): Promise<number> {
  const mails = (await product.mailbox?.list({ to: email })) ?? []
  return mails.filter(({ subject }) => subject.startsWith('A new sign-in')).length
}

const signOut = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Signout' }).click()
async function deactivate(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Deactivate account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
}

for (const [how, script, leaves] of [
  ['a sign-out and a deactivation', true, [signOut, deactivate]],
  ['a sign-out without script', false, [signOut]],
] as const) {
  test(`after ${how} the browser is known still: guesses of others shut nobody out of it, and no mail calls it new`, async ({
    open,
  }) => {
    const ann = await world.member('Ann')
    const page = await open({ script, world })
    await signIn(page, ann)
    for (const leave of leaves) {
      await leave(page)
      await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
      const left = await ownCookies(page)
      expect([left.includes(SESSION_COOKIE), left.includes(DEVICE)]).toEqual([false, true])
      await guessedAt(world, ann)
      await signIn(page, ann)
      expect(await ownCookies(page)).toContain(SESSION_COOKIE)
      await world.services.loginGuard.clear(world.services.credentials.emailKey(ann.email))
    }

    await signIn(await open({ world }), ann)
    await until('another browser is announced', async () => (await announced(world, ann)) > 1)
    expect(await announced(world, ann)).toBe(2)
  })
}
