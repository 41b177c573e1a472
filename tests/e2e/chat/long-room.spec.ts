import type { Page } from 'playwright'
import { expect, test } from '../fixture.ts'
import { bubbles, log, longRoom, message, scrollUpTo } from '../pages/long-room.ts'

const MANY = 1_000
const IN_THE_PAGE = 200
const SEND_MS = 100
const SLOWER = 4

/** Sends it by Enter, and answers after how many milliseconds its words are painted. */
async function sendTime(page: Page, text: string): Promise<number> {
  await page.getByLabel(/^Message to/).fill(text)
  const sending = await page.evaluateHandle((words) => {
    const room = document.querySelector('[role="log"]')!
    const painted = new Promise<number>((resolve) => {
      const begin = ({ timeStamp }: Event) => {
        const watch = new MutationObserver(() => {
          if ([...room.querySelectorAll('.bubble-text')].at(-1)?.textContent !== words) return
          watch.disconnect()
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - timeStamp)))
        })
        watch.observe(room, { subtree: true, childList: true })
      }
      document.addEventListener('keydown', begin, { once: true, capture: true })
    })
    return { painted }
  }, text)
  await page.keyboard.press('Enter')
  const ms = await sending.evaluate(({ painted }) => painted)
  await expect(log(page).getByRole('img', { name: 'Sending' })).toHaveCount(0)
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done())))
  return ms
}

/** What it takes on a slow phone that has nothing else to do: the least of several. */
async function quickestSend(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const all: number[] = []
  for (let n = 1; n <= 6; n++) all.push(Math.round(await sendTime(page, `Sent ${n}`)))
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  test.info().annotations.push({ type: 'Send at 4 × CPU, ms', description: all.join(' ') })
  return Math.min(...all)
}

test('a room of a thousand messages keeps a window of them in the page, and sends at once', async ({ world, open }) => {
  test.setTimeout(240_000)
  const [ann, bea] = await longRoom(world, ['Ann', 'Bea'], MANY)
  const page = await open({ as: ann, phone: true })
  await page.goto(`/chat/${bea.id}`)
  await scrollUpTo(page, 1)
  await expect(bubbles(page)).toHaveCount(IN_THE_PAGE)
  await expect(message(page, MANY)).toHaveCount(0)
  expect(await quickestSend(page)).toBeLessThanOrEqual(SEND_MS)
  await expect(log(page).getByText('Sent 6', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(bubbles(page)).toHaveCount(IN_THE_PAGE)
})

/** Where it is on the screen. */
const heightOf = async (page: Page, number: number) => (await message(page, number).boundingBox())?.y ?? Number.NaN

test('what one reads stays where it is when messages come and leave at either end', async ({ world, open }) => {
  test.setTimeout(120_000)
  const [cat, dan] = await longRoom(world, ['Cat', 'Dan'], 320)
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
