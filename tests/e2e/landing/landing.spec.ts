import { expect, test } from '../fixture.ts'

for (const phone of [true, false])
  test(`the landing shows drawn people and what they do here, ${phone ? 'on a phone' : 'on a desktop'}`, async ({
    open,
  }) => {
    const page = await open({ phone, script: false })
    await page.goto('/')
    await expect(page.getByText('The people are drawn.', { exact: false })).toBeVisible()
    const pictures = page.locator('figure img')
    await expect(pictures).toHaveCount(3)
    const drawn = () => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0))
    await expect.poll(drawn).toBe(true)
    await expect(page.getByRole('link', { name: 'Login' })).toHaveCount(1)
    await expect(page.getByRole('link', { name: 'Get Started' })).toBeInViewport()
  })

test('whoever has matched with nobody yet reads nothing of chats that they left', async ({ world, open }) => {
  const page = await open({ as: await world.member('Lone'), phone: true })
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('link', { name: /^Chat/ })).toContainText(
    'Chat with the people you match with.',
  )
})
