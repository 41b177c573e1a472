import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { film } from '../pages/recordings.ts'

const viewer = (page: Page) => page.getByRole('dialog')
const tile = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('closing the viewer gives the focus to the picture that it showed, however it was opened', async ({
  world,
  open,
}) => {
  const [joe, kay] = [await world.member('Joe'), await world.member('Kay')]
  await world.match(joe, kay)
  await world.settled()
  const page = await open({ as: joe, phone: true })
  await page.goto(`/viewProfile/${kay.id}`)
  await tile(page, 'Photo 2 of Kay').click()
  await viewer(page).getByRole('link', { name: 'Close' }).click()
  await expect(tile(page, 'Photo 2 of Kay')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(viewer(page)).toContainText('2 of 2')
  await page.keyboard.press('ArrowLeft')
  await expect(viewer(page)).toContainText('1 of 2')
  await page.keyboard.press('Escape')
  await expect(tile(page, 'Photo 1 of Kay')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(viewer(page)).toContainText('1 of 2')
  await page.reload()
  await viewer(page).getByRole('link', { name: 'Close' }).click()
  await expect(tile(page, 'Photo 1 of Kay')).toBeFocused()
})

test('a photo that was deleted gives the focus to the one in its place', async ({ world, open }) => {
  const page = await open({ as: await world.member('Lea'), phone: true })
  await page.goto('/profile/gallery')
  const photos = page.getByRole('list', { name: 'Your photos and videos' }).getByRole('listitem')
  await expect(photos).toHaveCount(2)
  await photos.nth(1).locator('summary').focus()
  await page.keyboard.press('Enter')
  await photos.nth(1).getByRole('link', { name: 'Delete' }).click()
  await viewer(page).getByRole('button', { name: 'Delete' }).click()
  await expect(photos).toHaveCount(1)
  await expect(tile(page, 'Open Photo 1 of yours')).toBeFocused()
})

test('the tile of a video shows a picture of it, on a ground of its own until that is there', async ({
  world,
  open,
  chromium,
}) => {
  const page = await open({ as: await world.member('Lou'), phone: true })
  await page.goto('/profile/gallery')
  await page.getByLabel('Add photos or videos').setInputFiles(await film(chromium))
  const shown = page.locator('.person-film video')
  await expect(shown).toHaveCount(1)
  await expect(page.locator('.person-film')).toHaveCSS('background-image', /gradient/)
  await expect
    .poll(() => shown.evaluate((one: HTMLVideoElement) => one.currentTime > 0 && one.readyState >= 2))
    .toBe(true)
})

test('without script the viewer has arrows only where they lead to another picture', async ({ world, open }) => {
  const [max, nan] = [await world.member('Max'), await world.member('Nan')]
  await world.match(max, nan)
  await world.settled()
  const page = await open({ as: max, phone: true, script: false })
  await page.goto(`/viewProfile/${nan.id}`)
  await tile(page, 'Photo 1 of Nan').click()
  await expect(viewer(page).getByRole('link', { name: 'Previous' })).toHaveCount(0)
  await viewer(page).getByRole('link', { name: 'Next' }).click()
  await expect(viewer(page)).toContainText('2 of 2')
  await expect(viewer(page).getByRole('link', { name: 'Next' })).toHaveCount(0)
})

for (const width of [360, 390, 800]) {
  test(`the photos of a profile are as wide together as its portrait at ${width} px`, async ({ world, open }) => {
    const [ora, pia] = [await world.member('Ora'), await world.member('Pia')]
    await world.match(ora, pia)
    await world.settled()
    const page = await open({ as: ora })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/viewProfile/${pia.id}`)
    const [portrait, grid] = await Promise.all(
      ['.person-portrait', '.person-grid'].map((part) => page.locator(part).first().boundingBox()),
    )
    expect([grid?.x, grid?.width]).toEqual([portrait?.x, portrait?.width])
  })
}
