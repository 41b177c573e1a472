import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

/** The page for when there is no network is there, with its fonts, which come last. */
const isKept = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        async () => (await caches.has('offline-1')) && (await (await caches.open('offline-1')).keys()).length,
      ),
    )
    .toBe(6)

test('without network a page that is opened says so, and opens by itself once it can', async ({ world, open }) => {
  const page = await open({ as: await world.member('Ann'), phone: true, refusals: true, offlinePage: true })
  await page.goto('/notifications')
  await isKept(page)
  await page.context().setOffline(true)
  await page.goto('/profile').catch(() => undefined)
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { name: 'Ann' }).first()).toBeVisible()
})

test('messages that wait are kept over a reload, are counted by the page without network, and sent once', async ({
  world,
  open,
}) => {
  const [bea, cid] = [await world.member('Bea'), await world.member('Cid')]
  await world.match(bea, cid)
  await world.settled()
  const page = await open({ as: bea, phone: true, refusals: true, offlinePage: true })
  await page.goto(`/chat/${cid.id}`)
  await isKept(page)
  await page.context().setOffline(true)
  await page.getByLabel('Message to Cid').fill('Tea at five?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log')).toContainText('Tea at five?')
  await page.goto(`/chat/${cid.id}`).catch(() => undefined)
  await expect(page.getByText('One message waits in this tab and is sent once you are back.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('log').getByText('Tea at five?')).toHaveCount(1)
  await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain('queue:')
  await page.reload()
  await expect(page.getByRole('log').getByText('Tea at five?')).toHaveCount(1)
})

test('with the page for when there is no network, redirects lead where they do without it', async ({ open }) => {
  const page = await open({ offlinePage: true })
  await page.goto('/privacy')
  await isKept(page)
  await page.goto('/chat')
  await expect(page).toHaveURL(/\/login\?redirectTo=%2Fchat$/)
})

test('nothing that a member sees is kept by the page without network', async ({ world, open }) => {
  const page = await open({ as: await world.member('Dan'), offlinePage: true })
  await page.goto('/profile')
  await isKept(page)
  await page.goto('/notifications')
  const addresses = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(addresses.filter((address) => !/^\/(offline[-.]|favicon)/.test(address))).toEqual([])
})
