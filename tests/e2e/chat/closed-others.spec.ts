import { expect, test } from '../fixture.ts'
import { become, go, isOf } from '../pages/kept.ts'
import { longRoom } from '../pages/long-room.ts'

test('a closed room shows the one of its two members nothing that the other one typed', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 3)
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto(`/chat/${bea.id}`)
  await page.getByLabel('Message to Bea').fill('Half a sentence')
  await world.unmatch(ann, bea)
  await world.settled()
  await become(page, world, bea)
  await go(page, '/chat')
  await isOf(page, bea)
  await go(page, `/chat/${ann.id}`)
  await expect(page.getByRole('heading', { name: 'This conversation is closed' })).toBeVisible()
  await expect(page.getByLabel('What you wrote')).toHaveCount(0)
})
