import { expect, test } from '../fixture.ts'
import { longRoom } from '../pages/long-room.ts'

test('who writes when the other unmatches reads why, and keeps what was typed', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 3)
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.goto(`/chat/${bea.id}`)
  await page.getByLabel('Message to Bea').fill('Half a sentence')
  await world.unmatch(bea, ann)
  await expect(page.getByRole('heading', { name: 'This conversation is closed' })).toBeVisible()
  await expect(page.getByLabel('What you wrote')).toHaveValue('Half a sentence')
  await expect(page.getByText('404')).toHaveCount(0)
  await page.getByRole('link', { name: 'Your matches' }).click()
  await expect(page).toHaveURL(`${world.url}/chat`)
})
