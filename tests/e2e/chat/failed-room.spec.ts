import { expect, test } from '../fixture.ts'

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
