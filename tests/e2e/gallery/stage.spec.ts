import type { Locator, Page } from 'playwright'
import { expect, type OpenOptions, test } from '../fixture.ts'

const HERE = '/dev/gallery/overlays'
const stageOf = (page: Page, name = 'Story of Ann') => page.getByRole('dialog', { name })
const link = (page: Page, name = 'Story of Ann') => page.getByRole('link', { name, exact: true })
const status = (stage: Locator) => stage.getByRole('status')

async function opened(open: (options: OpenOptions) => Promise<Page>, name = 'Story of Ann', calm = false) {
  const page = await open({ phone: true })
  if (calm) await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(HERE)
  await link(page, name).click()
  const stage = stageOf(page, name)
  await expect(status(stage)).toHaveText('1 of 3')
  return { page, stage }
}

/** How far the bar of what is shown is, from 0 to 1. */
const share = (stage: Locator) =>
  stage.locator('[aria-current] > .stage-fill').evaluate((fill) => new DOMMatrix(getComputedStyle(fill).transform).a)

test('arrow keys and taps on the sides lead through a stage, and Escape gives the focus back', async ({ open }) => {
  const { page, stage } = await opened(open, 'Pictures that stay')
  await page.keyboard.press('ArrowRight')
  await expect(status(stage)).toHaveText('2 of 3')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(status(stage)).toHaveText('1 of 3')
  const view = (await stage.locator('.stage-view').boundingBox())!
  await page.mouse.click(view.x + view.width * 0.8, view.y + view.height / 2)
  await expect(status(stage)).toHaveText('2 of 3')
  await page.mouse.click(view.x + view.width * 0.1, view.y + view.height / 2)
  await expect(status(stage)).toHaveText('1 of 3')
  for (let stops = 0; stops < 8; stops++) {
    await page.keyboard.press('Tab')
    expect(
      await stage.evaluate((box) => box.contains(document.activeElement) || document.activeElement === document.body),
    ).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(stage).toHaveCount(0)
  await expect(link(page, 'Pictures that stay')).toBeFocused()
})

test('a story moves on by itself, waits while a finger is on it, and the press is then no tap', async ({ open }) => {
  const { page, stage } = await opened(open)
  await expect(status(stage)).toHaveText('2 of 3', { timeout: 10_000 })
  const view = (await stage.locator('.stage-view').boundingBox())!
  await page.mouse.move(view.x + view.width / 2, view.y + view.height / 2)
  await page.mouse.down()
  const before = await share(stage)
  await expect
    .poll(() => page.evaluate(() => document.getAnimations().some(({ playState }) => playState === 'running')))
    .toBe(false)
  await page.waitForFunction((from) => performance.now() > from + 400, await page.evaluate(() => performance.now()))
  expect(await share(stage)).toBeLessThan(before + 0.1)
  await page.mouse.up()
  await expect(status(stage)).toHaveText('2 of 3')
  await expect.poll(() => share(stage)).toBeGreaterThan(before + 0.1)
})

test('a story pauses by its button, by the space bar and while a reply is typed', async ({ open }) => {
  const { page, stage } = await opened(open, 'Story to answer')
  const isRunning = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .some(
          ({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 4_000,
        ),
    )
  await expect.poll(isRunning).toBe(true)
  await stage.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(isRunning).toBe(false)
  await stage.getByRole('button', { name: 'Play' }).click()
  await expect.poll(isRunning).toBe(true)
  await stage.getByRole('link', { name: 'Next' }).focus()
  await page.keyboard.press(' ')
  await expect.poll(isRunning).toBe(false)
  await page.keyboard.press(' ')
  await expect.poll(isRunning).toBe(true)
  await stage.getByLabel('Reply to Ann').fill('Where is')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press(' ')
  await expect(stage.getByLabel('Reply to Ann')).toHaveValue('Where i s')
  await expect.poll(isRunning).toBe(false)
})

test('a video is shown as long as it plays, and pauses with its stage', async ({ open }) => {
  const { page, stage } = await opened(open, 'Reels')
  const video = stage.locator('video')
  const isPaused = () => video.evaluate((one: HTMLVideoElement) => one.paused)
  await expect.poll(isPaused).toBe(false)
  await page.keyboard.press(' ')
  await expect.poll(isPaused).toBe(true)
  await page.keyboard.press(' ')
  await expect.poll(isPaused).toBe(false)
  await expect(status(stage)).toHaveText('2 of 3', { timeout: 15_000 })
})

test('a stage that is dragged down closes, and one that is dragged a little springs back', async ({ open }) => {
  const { page, stage } = await opened(open, 'Pictures that stay')
  const drag = async (by: number) => {
    await page.mouse.move(250, 300)
    await page.mouse.down()
    await page.mouse.move(250, 300 + by, { steps: 3 })
    await page.mouse.up()
  }
  await drag(18)
  await expect(status(stage)).toHaveText('1 of 3')
  await drag(200)
  await expect(stage).toHaveCount(0)
})

test('for whoever wants little to move a story stays until it is started', async ({ open }) => {
  const { stage } = await opened(open, 'Story of Ann', true)
  await expect(stage.getByRole('button', { name: 'Play' })).toBeVisible()
  expect(await share(stage)).toBeLessThan(0.02)
  await stage.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => share(stage)).toBeGreaterThan(0.02)
})

test('without script the sides of a stage are links, and it ends on the page below', async ({ open }) => {
  const page = await open({ script: false, phone: true })
  await page.goto(HERE)
  await link(page, 'Pictures that stay').click()
  const stage = stageOf(page, 'Pictures that stay')
  for (const count of ['2 of 3', '3 of 3']) {
    await stage.getByRole('link', { name: 'Next' }).click()
    await expect(status(stage)).toHaveText(count)
  }
  await stage.getByRole('link', { name: 'Go on' }).click()
  await expect(page.getByRole('heading', { name: 'Overlays', level: 1 })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('in forced colours the bar that is filled differs from those that are not', async ({ open }) => {
  const { page, stage } = await opened(open, 'Pictures that stay')
  await page.emulateMedia({ forcedColors: 'active' })
  const segments = stage.locator('.stage-segment')
  const shots = await Promise.all([0, 2].map((at) => segments.nth(at).screenshot({ animations: 'disabled' })))
  expect(shots[0]!.equals(shots[1]!)).toBe(false)
})
