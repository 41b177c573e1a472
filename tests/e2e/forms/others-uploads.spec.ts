import { expect, test } from '../fixture.ts'
import { become, isOf } from '../pages/kept.ts'
import { picture } from '../pages/sign-up.ts'

const REFUSED = 'This page was opened as another member. Nothing was sent.'

test('a photo that is chosen in the gallery of another member leads to one’s own', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto('/profile/gallery')
  await become(page, world, bea)
  await page.locator('#gallery-file').setInputFiles([await picture('hers.jpg', 40)])
  await isOf(page, bea)
  await expect(page.getByRole('status').getByText(REFUSED)).toBeVisible()
  await expect(page.getByText('hers.jpg')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
})

test('a voice intro that is sent from the page of another member leads to one’s own', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, phone: true, refusals: true })
  await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto('/profile/edit?section=voice')
  const voice = page.locator('#voice-file')
  await voice.setInputFiles({ name: 'hers.webm', mimeType: 'audio/webm', buffer: Buffer.from('no voice') })
  await page.getByRole('button', { name: 'Discard' }).waitFor()
  await become(page, world, bea)
  await page.getByRole('button', { name: 'Save voice intro' }).click()
  await isOf(page, bea)
  await expect(page.getByRole('status').getByText(REFUSED)).toBeVisible()
  await expect(page.getByText(REFUSED)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0)
})
