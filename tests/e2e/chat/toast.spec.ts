import { expect, test } from '../fixture.ts'

test('the toast of a message goes once its conversation is open, whichever way led there', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto('/discover')
  await world.sendMessage(bea, ann, 'Hello!')
  await expect(page.locator('.toast')).toContainText('Bea sent you a message.')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /Chat|Messages/ })
    .first()
    .click()
  await page.getByRole('link', { name: /Bea/ }).first().click()
  await expect(page).toHaveURL(new RegExp(`/chat/${bea.id}`))
  await expect(page.locator('.toast')).toHaveCount(0)
})
