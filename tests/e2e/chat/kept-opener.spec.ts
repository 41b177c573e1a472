import { expect, test } from '../fixture.ts'
import { BACK, stored } from '../pages/kept.ts'
import { longRoom } from '../pages/long-room.ts'

test('an opener that was sent leaves room for the next one', async ({ world, open }) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], 1)
  const page = await open({ as: ann, phone: true })
  await page.goto(`/chat/${bea.id}?say=Hello%20there`)
  const box = page.getByLabel('Message to Bea')
  await expect(box).toHaveValue('Hello there')
  // The form is looked at, and has something else by then.
  await box.fill('Hello there, Bea')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('log').getByText('Hello there, Bea')).toBeVisible()
  await expect(page.locator('.message[data-state=stored]').last()).toContainText('Hello there, Bea')
  await page.goto(`/chat/${bea.id}?say=Another%20opener`)
  await expect(page.getByRole('log').getByText('Hello there, Bea')).toBeVisible()
  await page.waitForFunction(() => document.querySelector('svg.visually-hidden') !== null)
  await expect(box).toHaveValue('Another opener')
  await expect(page.getByText(BACK)).toHaveCount(0)
  expect(await stored(page)).not.toContain('text')
})
