import type { Page } from 'playwright'
import { codeOf } from '../support/newcomers.ts'
import type { World } from '../support/world.ts'
import { expect, type OpenOptions, test } from './fixture.ts'
import { fillUntilPhotos, picture, verifyEmail } from './pages/sign-up.ts'

type Open = (options?: OpenOptions) => Promise<Page>
const PICTURES_OR_VIDEOS =
  'Unsupported file type. Choose a JPEG, PNG, WebP or GIF picture, or an MP4, WebM or QuickTime video.'

/** What a telephone may give that nobody here reads. */
const unread = (name: string) => ({ name, mimeType: 'image/heic', buffer: Buffer.from('of a kind that is not read') })
const pictures = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => picture(`p${at}.jpg`, at * 20)))

async function photoStep(world: World, open: Open, script: boolean): Promise<Page> {
  const email = `uploads.${Date.now()}@example.com`
  const ada = { email, firstName: 'Ada', readCode: () => codeOf(world, email) }
  const page = await open({ phone: true, script, refusals: true })
  await verifyEmail(page, ada)
  await fillUntilPhotos(page, ada)
  return page
}

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: the wizard names the kinds that it takes`, async ({ world, open }) => {
    const page = await photoStep(world, open, script)
    await page.locator('input[name=file]').setInputFiles([unread('beach.heic')])
    if (!script) await page.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByText(PICTURES_OR_VIDEOS).last()).toBeVisible()
  })

  test(`${how}: the gallery and the avatar name the kinds that they take`, async ({ world, open }) => {
    const page = await open({ as: await world.member('Ann'), phone: true, script, refusals: true })
    for (const [field, button, words] of [
      ['#gallery-file', 0, PICTURES_OR_VIDEOS],
      ['#avatar-file', 1, 'Unsupported file type. Choose a JPEG, PNG, WebP or GIF picture.'],
    ] as const) {
      await page.goto('/profile/gallery')
      await page.locator(field).setInputFiles([unread('me.heic')])
      if (!script) await page.getByRole('button', { name: 'Upload' }).nth(button).click()
      await expect(page.getByRole('alert').filter({ hasText: words })).toBeVisible()
    }
  })
}

test('the wizard says how many of the chosen files it leaves out', async ({ world, open }) => {
  const page = await photoStep(world, open, true)
  const files = page.locator('input[name=file]')
  const items = page.getByRole('list', { name: 'Your photos and videos' }).getByRole('listitem')
  await files.setInputFiles(await pictures(2))
  await expect(page.getByRole('listitem', { name: 'Photo 2' })).toBeVisible()
  await files.setInputFiles(await pictures(12))
  const words = page.getByText('5 files were left out: up to 9 photos and videos fit here.')
  await expect(words).toBeVisible()
  await expect(page.getByRole('listitem', { name: 'Photo 9' })).toBeVisible({ timeout: 30_000 })
  await expect(items).toHaveCount(9)
  await expect(words).toBeVisible()
  await page.getByRole('button', { name: 'Remove Photo 9' }).click()
  await expect(items).toHaveCount(8)
  await files.setInputFiles(await pictures(1))
  await expect(words).toHaveCount(0)
})

test('the gallery names each file that it does not take, and adds the others', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea'), phone: true, refusals: true })
  await page.goto('/profile/gallery')
  const files = [unread('one.heic'), await picture('good.jpg', 40), unread('two.heic')]
  await page.locator('#gallery-file').setInputFiles(files)
  await expect(page.getByText('Added to your gallery.')).toBeVisible()
  for (const name of ['one.heic', 'two.heic'])
    await expect(page.getByRole('alert').getByText(`${name}: ${PICTURES_OR_VIDEOS}`)).toBeVisible()
  await page.locator('#gallery-file').setInputFiles([await picture('fine.jpg', 90)])
  await expect(page.getByText('one.heic')).toHaveCount(0)
})

test('the long name of a file that is not taken fits a small phone', async ({ world, open }) => {
  const page = await open({ as: await world.member('Cat'), phone: true, refusals: true })
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/profile/gallery')
  const long = 'W'.repeat(180)
  await page.locator('#gallery-file').setInputFiles([unread(`${long}.heic`)])
  await expect(page.getByRole('alert').getByText(long)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
