import { expect, test } from '../fixture.ts'

for (const script of [true, false])
  test(`whoever is deactivated is told so where they land, and can sign out on a phone, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const nora = await world.member('Nora')
    await world.account(nora, 'Deactivate')
    await world.settled()
    const page = await open({ as: nora, phone: true, script })
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Discover' })).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Your account is deactivated' }).click()
    await expect(page).toHaveURL(/\/settings\/delete$/)
    if (script) await page.getByRole('button', { name: 'Stay deactivated' }).click()
    await page.getByRole('banner').locator('summary').click()
    await page.getByRole('button', { name: 'Signout' }).click()
    await expect(page).not.toHaveURL(/settings/)
    await page.goto('/settings/delete')
    await expect(page).toHaveURL(/\/login/)
  })

test('whoever stays deactivated is not brought back by looking again, and may come back', async ({ world, open }) => {
  const nora = await world.member('Nora')
  await world.account(nora, 'Deactivate')
  await world.settled()
  const page = await open({ as: nora, phone: true })
  await page.goto('/settings/delete')
  await page.getByRole('button', { name: 'Stay deactivated' }).click()
  for (const path of ['/settings/delete', '/discover']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Reactivate' })).toBeVisible()
    await expect(page.getByText('Bringing your account back')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Stay deactivated' })).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByText('Your account is active again.')).toBeVisible()
})

test('whoever just left reads so at once, apart from the bar', async ({ open }) => {
  for (const [gone, title] of [
    ['deactivated', 'Your account is deactivated'],
    ['goodbye', 'Your account is deleted'],
  ] as const) {
    const page = await open({ phone: true })
    await page.goto(`/?${gone}`)
    await expect(page.locator('.splash')).toHaveCount(0)
    const [bar, note] = [page.getByRole('banner'), page.getByRole('status').filter({ hasText: title })]
    const [above, below] = [(await bar.boundingBox())!, (await note.boundingBox())!]
    expect(below.y - above.y - above.height).toBeGreaterThanOrEqual(8)
  }
})
