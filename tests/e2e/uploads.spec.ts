import { PROOF_COOKIE } from '../../app/request/session-cookie.server.ts'
import { expect, hostCookie, test } from './fixture.ts'
import { registering } from './pages/cast.ts'
import { picture } from './pages/sign-up.ts'

const PICTURES_OR_VIDEOS =
  'Unsupported file type. Choose a JPEG, PNG, WebP or GIF picture, or an MP4, WebM or QuickTime video.'
const PICTURES = 'Unsupported file type. Choose a JPEG, PNG, WebP or GIF picture.'

/** What a telephone may give that nobody here reads. */
const unread = (name: string) => ({ name, mimeType: 'image/heic', buffer: Buffer.from('of a kind that is not read') })
const pictures = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, at) => picture(`p${at}.jpg`, at * 20)))

for (const script of [true, false]) {
  const how = script ? 'with script' : 'without script'

  test(`${how}: the gallery and the avatar name the kinds that they take, and what is taken is said`, async ({
    world,
    open,
  }) => {
    test.setTimeout(120_000)
    const page = await open({ as: await world.member('Ann'), phone: true, script, refusals: true })
    await page.goto('/profile/gallery')
    for (const [field, button, words] of [
      ['#gallery-file', 0, PICTURES_OR_VIDEOS],
      ['#avatar-file', 1, PICTURES],
    ] as const)
      await test.step(`${field} answers where a file was chosen`, async () => {
        await page.locator(field).setInputFiles([unread('me.heic')])
        if (!script) await page.getByRole('button', { name: 'Upload' }).nth(button).click()
        const answer = page.getByRole('alert').filter({ hasText: words })
        await expect(answer).toBeVisible()
        if (!script) await expect(page.getByText(words)).toBeInViewport({ ratio: 1 })
      })
    await test.step('each file that is not taken is named, and the others are added', async () => {
      const files = [unread('one.heic'), await picture('good.jpg', 40), unread('two.heic')]
      await page.locator('#gallery-file').setInputFiles(script ? files : [await picture('third.jpg', 120)])
      if (!script) await page.getByRole('button', { name: 'Upload' }).first().click()
      await expect(page.getByText('Added to your gallery.')).toBeInViewport({ ratio: 1 })
    })
    if (!script) return
    for (const name of ['one.heic', 'two.heic'])
      await expect(page.getByRole('alert').getByText(`${name}: ${PICTURES_OR_VIDEOS}`)).toBeVisible()
    await page.locator('#gallery-file').setInputFiles([await picture('fine.jpg', 90)])
    await expect(page.getByText('one.heic')).toHaveCount(0)
    await test.step('the long name of a file that is not taken fits a small phone', async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      const long = 'W'.repeat(180)
      await page.locator('#gallery-file').setInputFiles([unread(`${long}.heic`)])
      await expect(page.getByRole('alert').getByText(long)).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    })
  })
}

test('the wizard says how many of the chosen files it leaves out', async ({ world, open }) => {
  const page = await open({ phone: true, refusals: true })
  await page.context().addCookies([hostCookie(world, PROOF_COOKIE, await registering(world))])
  await page.goto('/register?step=4')
  const files = page.locator('input[name=file]')
  const items = page.getByRole('list', { name: 'Your photos and videos' }).getByRole('listitem')
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
