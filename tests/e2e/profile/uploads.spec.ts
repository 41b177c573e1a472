import type { Page, Route } from 'playwright'
import { expect, test } from '../fixture.ts'
import { film } from '../pages/recordings.ts'
import { picture } from '../pages/sign-up.ts'

const UPLOAD = /\/media-upload/
const items = (page: Page) => page.getByRole('list', { name: 'Your photos and videos' }).getByRole('listitem')
const add = (page: Page) => page.getByLabel('Add photos or videos')

test('the field for photos is a box of ours that takes the keys, and shows that it has them', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann'), phone: true })
  const third = await picture('third.jpg', 120)
  page.on('filechooser', (chooser) => chooser.setFiles(third))
  await page.goto('/profile/gallery')
  const box = page.locator('.upload-add').first()
  await expect(add(page)).toHaveCSS('opacity', '0')
  await page.getByRole('link', { name: 'Gallery' }).focus()
  await page.keyboard.press('Tab')
  await add(page).focus()
  await expect(box).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
  await expect(items(page)).toHaveCount(3)
})

test('a photo on its way shows how far it is, and is taken back by Cancel', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea'), phone: true, refusals: true })
  await page.goto('/profile/gallery')
  await page.route(UPLOAD, () => undefined)
  await add(page).setInputFiles(await picture('third.jpg', 120))
  await expect(page.getByRole('progressbar', { name: 'Uploading third.jpg' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel third.jpg' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(add(page)).toBeFocused()
  await expect(page.getByRole('alert').getByText('third.jpg')).toHaveCount(0)
  await expect(items(page)).toHaveCount(2)
})

test('a photo that did not arrive is kept to be sent again by Retry', async ({ world, open }) => {
  const page = await open({ as: await world.member('Cid'), phone: true, refusals: true })
  await page.goto('/profile/gallery')
  await page.route(UPLOAD, (route: Route) => route.abort('connectionreset'))
  await add(page).setInputFiles(await picture('third.jpg', 120))
  await expect(page.getByText('third.jpg: Photo upload failed. Please try again.')).toBeVisible()
  await page.unroute(UPLOAD)
  await page.getByRole('button', { name: 'Retry third.jpg' }).click()
  await expect(page.getByText('Added to your gallery.')).toBeVisible()
  await expect(page.getByText('Photo upload failed')).toHaveCount(0)
  await expect(items(page)).toHaveCount(3)
})

test('a film that is sent leaves nothing on the console', async ({ world, open, chromium }) => {
  const page = await open({ as: await world.member('Dot'), phone: true })
  await page.goto('/profile/gallery')
  await add(page).setInputFiles(await film(chromium))
  await expect(page.getByText('Added to your gallery.')).toBeVisible()
  await expect(items(page)).toHaveCount(3)
})
