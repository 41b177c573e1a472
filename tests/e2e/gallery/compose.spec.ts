import type { Page, Route } from 'playwright'
import { expect, test } from '../fixture.ts'
import { picture } from '../pages/sign-up.ts'

const HERE = '/dev/gallery/compose'
const UPLOAD = /\/media-upload/
const list = (page: Page) => page.getByRole('list', { name: 'Photos of your post' })
const names = (page: Page) =>
  list(page)
    .getByRole('listitem')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
const add = (page: Page) => page.getByLabel('Add more')

test('a file on its way is taken back, one that failed is sent again, and both wait for their turn', async ({
  world,
  open,
}) => {
  const page = await open({ as: await world.member('Ann'), refusals: true })
  await page.goto(HERE)
  await page.route(UPLOAD, () => undefined)
  await add(page).setInputFiles([await picture('first.jpg', 20), await picture('second.jpg', 60)])
  await expect(list(page).getByLabel('Uploading')).toHaveCount(1)
  await expect(list(page).getByLabel('Waiting')).toHaveCount(1)
  await page.unroute(UPLOAD)
  await page.route(UPLOAD, (route: Route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Cancel first.jpg' }).press('Enter')
  // Its turn comes at once, and fails.
  await expect(page.getByRole('button', { name: /^(Cancel|Dismiss) second.jpg$/ })).toBeFocused()
  await expect(list(page).getByRole('alert')).toHaveText('Photo upload failed. Please try again.')
  await page.unroute(UPLOAD)
  await page.getByRole('button', { name: 'Retry second.jpg' }).click()
  await expect(page.getByRole('button', { name: 'Move second.jpg earlier' })).toBeVisible()
  expect(await names(page)).not.toContain('first.jpg')
})

test('files are put in order and removed by keys, and the focus stays with them', async ({ open }) => {
  const page = await open({ phone: true })
  await page.goto(HERE)
  const [evening, morning, long] = (await names(page)) as [string, string, string]
  const later = page.getByRole('button', { name: `Move ${evening} later` })
  await later.press('Enter')
  expect(await names(page)).toEqual([morning, evening, long])
  await expect(later).toBeFocused()
  await expect(page.getByText(`${evening} is number 2 of 3.`)).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  expect(await names(page)).toEqual([morning, long, evening])
  await expect(later).toBeFocused()
  await page.getByRole('button', { name: `Remove ${evening}` }).press('Enter')
  await expect(page.getByRole('button', { name: `Remove ${long}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Add photos or videos')).toBeFocused()
})

test('what has no room is left out, and the page counts it', async ({ world, open }) => {
  const page = await open({ as: await world.member('Bea') })
  await page.goto(HERE)
  await page.route(UPLOAD, () => undefined)
  await add(page).setInputFiles(await Promise.all([1, 2, 3, 4, 5].map((n) => picture(`p${n}.jpg`, n * 10))))
  await expect(list(page).getByRole('listitem')).toHaveCount(6)
  await expect(page.getByText('2 left out: up to 6 fit here.')).toBeVisible()
  await expect(add(page)).toHaveCount(0)
  await expect(list(page)).toBeFocused()
})

test('without script the order is changed by the form, and a crop is typed', async ({ open }) => {
  const page = await open({ script: false })
  await page.goto(HERE)
  const [evening, morning, long] = (await names(page)) as [string, string, string]
  await page.getByRole('button', { name: `Move ${long} earlier` }).click()
  expect(await names(page)).toEqual([evening, long, morning])
  const square = page.getByRole('group', { name: 'Avatar, 1:1' })
  await square.getByLabel('Across, %').fill('0')
  await square.getByLabel('Zoom, %').fill('200')
  await square.locator('xpath=..').getByRole('button', { name: 'Send' }).click()
  await expect(square.getByLabel('Across, %')).toHaveValue('17')
  await expect(square.getByLabel('Zoom, %')).toHaveValue('200')
})

test('a crop is dragged, moved by keys and typed, and never leaves its picture', async ({ open }) => {
  const page = await open()
  await page.goto(HERE)
  const post = page.getByRole('group', { name: 'Post, 4:5' })
  const [across, down, zoom] = ['Across, %', 'Down, %', 'Zoom, %'].map((name) => post.getByLabel(name))
  const frame = post.getByRole('group', { name: 'Frame' })
  await expect(across!).toHaveValue('50')
  await frame.focus()
  await page.keyboard.press('ArrowRight')
  await expect(across!).toHaveValue('52')
  // It is as high as its picture.
  await page.keyboard.press('ArrowDown')
  await expect(down!).toHaveValue('50')
  await zoom!.fill('200')
  await frame.focus()
  await page.keyboard.press('ArrowDown')
  await expect(down!).toHaveValue('52')
  await page.keyboard.press('-')
  await expect(zoom!).toHaveValue('190')
  await zoom!.fill('200')
  await frame.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await frame.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y, { steps: 3 })
  await page.mouse.move(x - 200, y - 200, { steps: 3 })
  await page.mouse.up()
  await expect(across!).toHaveValue('13')
  await expect(down!).toHaveValue('25')
  await across!.fill('5')
  await expect(across!).toHaveValue('5')
  await across!.press('Tab')
  await expect(across!).toHaveValue('13')
  await post.locator('xpath=..').getByRole('button', { name: 'Cut' }).click()
  const size = () =>
    page
      .getByRole('img', { name: 'Post, 4:5, cut out' })
      .evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight])
  await expect.poll(size).toEqual([320, 400])
})
