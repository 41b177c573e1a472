import type { Browser, Page } from 'playwright'
import { type Cast, gather, registering } from '../../e2e/pages/cast.ts'
import { EVERY_PAGE, type Stop } from '../../e2e/pages/every-page.ts'
import { launchBrowser } from '../../support/browser.ts'
import { startWorld, type World } from '../../support/world.ts'
import { startBarePage } from '../bare.ts'
import type { Extent, Report } from '../extent.ts'
import { median, ms, ratio } from '../figures.ts'
import { givePicture } from '../picture.ts'
import { type Felt, feel, type Guest } from './felt.ts'

const BARE = '<!doctype html><title>Bare</title><meta name="viewport" content="width=device-width"><h1>One heading</h1>'
const LINES = 1_000
/** To reach (milliseconds, and a share of the window). What is beyond is looked at three times. */
const BARS = { lcp: 1_200, cls: 0.01, inp: 100 }
const TIMES = 3

/** Pages on a slow phone: 390 × 844, slow 4G (1.6 Mbit/s, 150 ms), a processor four times as slow, nothing cached. */
export async function benchFeel(extent: Extent, report: Report): Promise<void> {
  // As `npm start` runs it.
  process.env.NODE_ENV = 'production'
  const world = await startWorld()
  const browser = await launchBrowser()
  const bare = await startBarePage(BARE)
  try {
    const cast = await gather(world)
    await dress(world, cast)
    const proof = await registering(world)
    const beside = await middle(TIMES, () => feel(browser, `http://127.0.0.1:${bare.port}/`, {}, touch))
    const note = (what: string, { lcp, cls, inp }: Felt) =>
      report({
        what,
        value: `LCP ${ms(lcp)}, CLS ${cls.toFixed(3)}, INP ${ms(inp)}`,
        against: `one heading, LCP ${ms(beside.lcp)}`,
        ratio: ratio(lcp, beside.lcp),
      })
    const stops = Object.values(EVERY_PAGE).flatMap((stopsOf) => stopsOf(cast))
    const shown = stops.filter(({ refused, act }) => !refused && !act)
    for (const stop of extent.rounds > 1 ? shown : shown.slice(0, 3))
      note(stop.name, await feelStop(browser, world, stop, proof))
    if (extent.rounds > 1) note(`send in a room of ${LINES} lines`, await feelLongRoom(browser, world, cast))
  } finally {
    bare.stop()
    await browser.close()
    await world.stop()
  }
}

async function feelStop(browser: Browser, world: World, stop: Stop, proof: string): Promise<Felt> {
  const guest: Guest = { session: stop.as?.token, proof: stop.registering && proof }
  const once = () => feel(browser, world.url + stop.path, guest, ACTS[stop.name] ?? touch)
  const first = await once()
  const isWithin = first.lcp <= BARS.lcp && first.cls <= BARS.cls && first.inp <= BARS.inp
  return isWithin ? first : middle(TIMES, once)
}

async function middle(times: number, once: () => Promise<Felt>): Promise<Felt> {
  const all: Felt[] = []
  for (let time = 0; time < times; time++) all.push(await once())
  const of = (key: keyof Felt) => median(all.map((one) => one[key]))
  return { lcp: of('lcp'), cls: of('cls'), inp: of('inp') }
}

/** What a member does first on a page, or in the dialog over it: opens its menu, writes a letter, or goes to the next control. */
async function touch(page: Page): Promise<void> {
  const dialog = page.locator('dialog:modal')
  const around = (await dialog.count()) > 0 ? dialog : page.locator('main')
  const menu = around.locator('summary').first()
  if (await menu.isVisible()) await menu.click()
  const field = around.locator(':is(input[type=text], input[type=email], input[type=search], textarea)').first()
  if (await field.isVisible()) await field.pressSequentially('ab')
  await page.keyboard.press('Tab')
}

async function send(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: /message/i }).fill('On my way')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByText('On my way').waitFor()
}

const ACTS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  chat: send,
  'chat-long': send,
  discover: (page) => page.getByRole('button', { name: /^Skip / }).click(),
}

/** Where all thousand lines have been loaded, as by whoever reads from the beginning. */
async function feelLongRoom(browser: Browser, world: World, { full, buzzer }: Cast): Promise<Felt> {
  await world.match(full, buzzer)
  await world.settled()
  for (let n = 1; n <= LINES; n++) await world.sendMessage(n % 3 ? full : buzzer, n % 3 ? buzzer : full, `Line ${n}`)
  await world.settled()
  const url = `${world.url}/chat/${buzzer.id}`
  return middle(TIMES, () =>
    feel(browser, url, { session: full.token }, async (page) => {
      const first = page.getByText('Line 1', { exact: true })
      while ((await first.count()) === 0) await page.getByRole('log').evaluate((room) => room.scrollTo(0, 0))
      await page.getByRole('log').evaluate((room) => room.scrollTo(0, room.scrollHeight))
      await page.evaluate(() => {
        window.felt.inp = 0
      })
      await send(page)
    }),
  )
}

/** Faces for those whom the pages show. */
async function dress(world: World, { mia, jon, lea, full, buzzer, long }: Cast): Promise<void> {
  for (const [at, member] of [mia, jon, lea, full, buzzer, long].entries()) await givePicture(world, member, at)
  while ((await world.services.media.deriveForms()) !== null);
  await world.settled()
}
