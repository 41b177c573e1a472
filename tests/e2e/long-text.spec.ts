import { expect, test } from './fixture.ts'

const EMOJI = '🙂'

test('what the server takes is not cut off, and what is too long stays to be shortened', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto('/profile/edit')
  const about = page.getByRole('region', { name: 'About you', exact: true })
  await about.getByLabel('Bio').fill(EMOJI.repeat(500))
  await expect(about.getByText('500 / 500')).toBeVisible()
  await about.getByRole('button', { name: 'Save' }).click()
  await expect(about.getByRole('status')).toContainText('Profile updated')
  await page.goto(`/chat/${bea.id}`)
  const box = page.getByLabel('Message to Bea')
  await box.fill(EMOJI.repeat(4_001))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('A message has at most 4,000 characters.')).toBeVisible()
  await expect(box).toHaveValue(EMOJI.repeat(4_001))
  await box.fill(EMOJI.repeat(4_000))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('A message has at most 4,000 characters.')).toHaveCount(0)
  await expect(box).toHaveValue('')
  await page.reload()
  await expect(page.getByText(EMOJI.repeat(4_000))).toBeVisible()
})
