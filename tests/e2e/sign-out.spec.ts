import type { Page, Route } from 'playwright'
import { expect, test } from './fixture.ts'

/** The pages that a browser went through, by their paths. */
function trail(page: Page): string[] {
  const paths: string[] = []
  page.on('framenavigated', (frame) => frame === page.mainFrame() && paths.push(new URL(frame.url()).pathname))
  return paths
}

const socketOf = (page: Page) => page.waitForEvent('websocket', (socket) => socket.url().endsWith('/realtime'))
const ENDED = 'Your session has ended. Log in to go on.'
const signOut = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Signout' }).click()

test('a sign-out goes straight to the landing page, also when its socket closes before the answer comes', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann') })
  const socket = socketOf(page)
  await page.goto('/notifications')
  const closed = (await socket).waitForEvent('close')
  await page.route(/\/signout/, async (route) => {
    const response = await route.fetch()
    await closed
    // The page has heard of it, and done what it does.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await route.fulfill({ response })
  })
  const paths = trail(page)
  await signOut(page)
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(paths).toEqual(['/'])
})

test('a sign-out over a slow network shows that it is on its way', async ({ world, open }) => {
  for (const phone of [true, false]) {
    const page = await open({ as: await world.member('Eve'), phone })
    await page.goto('/notifications')
    const sent: Route[] = []
    await page.route(/\/signout/, (route) => {
      sent.push(route)
    })
    if (phone) await page.locator('summary[title=Menu]').click()
    await signOut(page)
    await expect(page.locator('.going')).toBeVisible()
    await expect.poll(() => sent.length).toBe(1)
    await sent[0]!.continue()
    await expect(page).toHaveURL('/')
    await expect(page.locator('.going')).toHaveCount(0)
  }
})

test('another tab of the session goes to the login, and one on an open page stays there as a visitor', async ({
  world,
  open,
}) => {
  const first = await open({ as: await world.member('Bea') })
  const [members, everybodys] = [await first.context().newPage(), await first.context().newPage()]
  for (const [page, path] of [
    [first, '/notifications'],
    [members, '/chat'],
    [everybodys, '/privacy'],
  ] as const) {
    const greeted = socketOf(page).then((socket) => socket.waitForEvent('framereceived'))
    await page.goto(path)
    await greeted
  }
  const trails = [trail(members), trail(everybodys)]
  await signOut(first)
  await expect(first).toHaveURL('/')
  await expect(members).toHaveURL(/\/login\?redirectTo=%2Fchat$/)
  await expect(everybodys.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(trails).toEqual([['/login'], []])
})

test('a browser whose session is ended from another device goes to the login, which says so, and the other stays', async ({
  world,
  open,
}) => {
  const dan = await world.member('Dan')
  const { token } = await world.services.sessions.create({ member: dan.id, remember: false, label: 'Another' })
  const [here, there] = [await open({ as: dan }), await open({ as: { ...dan, token } })]
  for (const page of [here, there]) {
    const greeted = socketOf(page).then((socket) => socket.waitForEvent('framereceived'))
    await page.goto('/chat')
    await greeted
  }
  const ended = await world.api('/auth/sessions/all', { as: dan, method: 'DELETE' })
  expect(ended.status).toBe(200)
  await expect(there).toHaveURL(/\/login\?ended=&redirectTo=%2Fchat$/)
  await expect(there.getByRole('alert')).toHaveText(ENDED)
  await here.reload()
  await expect(here).toHaveURL(/\/chat$/)
})

test('without script a sign-out goes to the landing page too', async ({ world, open }) => {
  const page = await open({ as: await world.member('Cat'), script: false })
  await page.goto('/notifications')
  await signOut(page)
  await expect(page).toHaveURL('/')
  await page.goto('/notifications')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText(ENDED)).toHaveCount(0)
})
