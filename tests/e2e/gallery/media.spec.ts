import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'

const HERE = '/dev/gallery/media'
const five = (page: Page) => page.getByRole('region', { name: 'Five views' })

test('a carousel is moved by arrows, dots, keys and by scrolling, and counts', async ({ open }) => {
  const page = await open()
  await page.goto(HERE)
  const [carousel, row] = [five(page), five(page).getByRole('list')]
  const count = carousel.getByRole('status')
  const back = carousel.getByRole('button', { name: 'Previous' })
  await expect(count).toHaveText('1 of 5')
  await expect(back).toHaveCount(0)
  await carousel.getByRole('button', { name: 'Next' }).click()
  await expect(count).toHaveText('2 of 5')
  await expect(back).toBeVisible()
  await carousel.getByRole('button', { name: 'Photo 4' }).click()
  await expect(count).toHaveText('4 of 5')
  await expect(carousel.getByRole('button', { name: 'Photo 4' })).toHaveAttribute('aria-current', 'true')
  await row.focus()
  await page.keyboard.press('ArrowRight')
  await expect(count).toHaveText('5 of 5')
  await page.keyboard.press('Home')
  await expect(count).toHaveText('1 of 5')
  await row.evaluate((list) => list.scrollBy({ left: list.clientWidth }))
  await expect(count).toHaveText('2 of 5')
  const twelve = page.getByRole('region', { name: 'Twelve views' })
  await expect(twelve.getByRole('button', { name: /^Photo/ })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'A single view' }).getByRole('button')).toHaveCount(0)
})

test('without script a carousel is a row that scrolls to a stop, and a video has the controls of the browser', async ({
  open,
}) => {
  const page = await open({ script: false, phone: true })
  await page.goto(HERE)
  const row = five(page).getByRole('list')
  await expect(five(page).getByRole('button')).toHaveCount(0)
  await row.focus()
  await page.keyboard.press('ArrowRight')
  const views = five(page).getByRole('img')
  await expect.poll(async () => (await views.nth(1).boundingBox())!.x).toBeCloseTo((await row.boundingBox())!.x, 0)
  await expect(page.locator('video[controls]')).toHaveAttribute('aria-label', 'Colours')
})

test('a video is played, moved through and muted in a player of ours', async ({ open }) => {
  const page = await open()
  await page.goto(HERE)
  const player = page.getByRole('group', { name: 'Colours' })
  const isPlaying = () => player.locator('video').evaluate((one: HTMLVideoElement) => !one.paused)
  const position = player.getByRole('slider', { name: 'Position' })
  await expect(position).toBeEnabled()
  await player.getByRole('button', { name: 'Mute' }).click()
  await expect(player.getByRole('button', { name: 'Mute', pressed: true })).toBeVisible()
  await player.locator('video').click()
  await expect.poll(isPlaying).toBe(true)
  await player.getByRole('button', { name: 'Pause' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(isPlaying).toBe(false)
  await position.focus()
  await page.keyboard.press('End')
  await expect(position).not.toHaveAttribute('aria-valuetext', /^0 of/)
})

test('a recording that is played shows its waves, as far as it has come', async ({ open }) => {
  const page = await open({ phone: true })
  await page.goto(HERE)
  const player = page.getByRole('group', { name: 'A hum' })
  await expect(player.locator('.waveform')).toHaveCount(0)
  const play = player.getByRole('button', { name: 'Play' })
  await play.focus()
  await page.keyboard.press('Enter')
  await expect(player.locator('.waveform')).toBeVisible()
  await expect(player.getByRole('slider', { name: 'Position' })).toHaveCSS('opacity', '0')
  await expect.poll(() => player.locator('.waveform-played').getAttribute('d')).not.toBe('')
  await player.getByRole('slider', { name: 'Position' }).focus()
  await page.keyboard.press('Home')
  await expect(player.locator('.voice-waves')).toHaveCSS('outline-style', 'solid')
})

test('a picture that its box cuts off keeps its spot in view, and a blurred one stands in until it is there', async ({
  open,
}) => {
  const page = await open({ script: false })
  await page.goto(HERE)
  const spots = await page
    .locator('.picture-cover .picture-image')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).objectPosition))
  expect(spots).toEqual(['0% 60%', '60% 60%', '100% 60%'])
  await expect(page.locator('.picture-placeholder')).toHaveCSS('filter', /blur/)
})
