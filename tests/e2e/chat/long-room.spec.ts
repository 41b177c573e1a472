import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { bubbles, log, longRoom, message, scrollUpTo } from '../pages/long-room.ts'

const MANY = 320
const IN_THE_PAGE = 200

test('a room of hundreds of messages keeps a window of them in the page, also after one is sent', async ({
  world,
  open,
}) => {
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], MANY)
  const page = await open({ as: ann, phone: true })
  await page.goto(`/chat/${bea.id}`)
  await scrollUpTo(page, 1)
  await expect(bubbles(page)).toHaveCount(IN_THE_PAGE)
  await expect(message(page, MANY)).toHaveCount(0)
  await page.getByLabel('Message to Bea').fill('And one more')
  await page.keyboard.press('Enter')
  await expect(log(page).getByText('And one more', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(bubbles(page)).toHaveCount(IN_THE_PAGE)
})

/** Where it is on the screen. */
const heightOf = async (page: Page, number: number) => (await message(page, number).boundingBox())?.y ?? Number.NaN

test('what one reads stays where it is when messages come and leave at either end', async ({ world, open }) => {
  test.setTimeout(120_000)
  const [cat, dan] = await longRoom(world, ['Cat', 'Dan'], MANY)
  const page = await open({ as: cat, phone: true })
  await page.goto(`/chat/${dan.id}`)
  await scrollUpTo(page, 121)
  await message(page, 130).evaluate((one) => one.scrollIntoView({ block: 'start' }))
  const before = await heightOf(page, 130)
  await page.mouse.move(195, 400)
  await page.mouse.wheel(0, -1)
  await expect(message(page, 71)).toBeAttached()
  await expect(message(page, 320)).toHaveCount(0)
  expect(Math.abs((await heightOf(page, 130)) - before - 1)).toBeLessThanOrEqual(2)

  await scrollUpTo(page, 1)
  await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0)
  await message(page, 190).evaluate((one) => one.scrollIntoView({ block: 'end' }))
  const then = await heightOf(page, 190)
  await expect(message(page, 250)).toBeAttached()
  await expect(message(page, 1)).toHaveCount(0)
  expect(Math.abs((await heightOf(page, 190)) - then)).toBeLessThanOrEqual(2)
  await expect(async () => {
    await log(page).evaluate((room) => room.scrollTo(0, room.scrollHeight))
    await expect(message(page, 320)).toBeInViewport({ ratio: 1, timeout: 200 })
  }).toPass()
  await world.sendMessage(dan, cat, 'And an answer')
  await expect(log(page).getByText('And an answer')).toBeInViewport({ ratio: 1 })
})

test('earlier messages that cannot be read leave the page, with what is typed, and come when asked again', async ({
  world,
  open,
}) => {
  const [eve, fay] = await longRoom(world, ['Eve', 'Fay'], 60)
  const page = await open({ as: eve, phone: true, refusals: true })
  await page.goto(`/chat/${fay.id}`)
  await page.getByLabel('Message to Fay').fill('Half a sentence')
  await page.route(/before=/, (route) => route.abort())
  await log(page).evaluate((room) => room.scrollTo(0, 0))
  await expect(log(page)).toContainText('Earlier messages cannot be reached.')
  await expect(page.getByLabel('Message to Fay')).toHaveValue('Half a sentence')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Earlier messages' }).click()
  await expect(message(page, 1)).toBeAttached()
  await expect(log(page)).not.toContainText('Earlier messages cannot be reached.')
})
