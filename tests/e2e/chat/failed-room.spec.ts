import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

/** Without network a room that was not opened before has no script to come up with. */
const goOffline = async (page: Page, name: string) => {
  await page.context().setOffline(true)
  await page.getByRole('main').getByRole('link', { name }).first().click()
}

test('a room that fails on the way has the focus on its heading, nothing to skip to, and the focus once it is back', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.route(/\/assets\/.*chat\._userId/, (route) => route.abort())
  await page.goto('/chat')
  await goOffline(page, 'Bea')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.locator('a[href="#message"]')).toBeHidden()
  await page.unroute(/\/assets\/.*chat\._userId/)
  await page.context().setOffline(false)
  await expect(page.getByLabel('Message')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('what waits for one room is not on the page of another that fails', async ({ world, open }) => {
  const [ann, bea, cid] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cid')]
  await world.match(ann, bea)
  await world.match(ann, cid)
  await world.settled()
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.goto(`/chat/${bea.id}`)
  await page.context().setOffline(true)
  await page.getByLabel('Message').fill('First to Bea')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.evaluate((path) => window.__remixRouter.navigate(path), `/chat/${cid.id}`)
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.getByText('First to Bea')).toHaveCount(0)
  await page.evaluate((path) => window.__remixRouter.navigate(path), `/chat/${bea.id}`)
  await expect(page.getByText('First to Bea')).toBeVisible()
})
