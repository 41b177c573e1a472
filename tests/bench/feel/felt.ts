import type { Browser, BrowserContext, Page } from 'playwright'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { waitsUntilAwake } from '../../e2e/pages/awake.ts'
import { VISITOR } from '../../support/browser.ts'

/** In milliseconds; `cls` is the sum of all shifts that no act of the member explains. */
export type Felt = { readonly lcp: number; readonly cls: number; readonly inp: number }
/** The token of a session, or of a visitor who registers. */
export type Guest = { readonly session?: string | undefined; readonly proof?: string | undefined }

declare global {
  interface Window {
    felt: { lcp: number; cls: number; inp: number }
  }
}

/** Bytes a second, and milliseconds before the first of them. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4
const PHONE = { width: 390, height: 844 }
/** Events that take less count as this. */
const SHORTEST_EVENT_MS = 16

const watch = (durationThreshold: number) => {
  const felt = { lcp: 0, cls: 0, inp: 0 }
  window.felt = felt
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; interactionId: number }
  const on = (type: string, note: (entry: Entry) => void, options: object = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as Entry)
    }).observe({ type, buffered: true, ...options })
  on('largest-contentful-paint', ({ startTime }) => {
    felt.lcp = startTime
  })
  on('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) felt.cls += value
  })
  const note = ({ interactionId, duration }: Entry) => {
    if (interactionId) felt.inp = Math.max(felt.inp, duration)
  }
  on('event', note, { durationThreshold })
}

/** Opens the page with nothing in the cache, over a slow network and on a slow processor, and acts there. */
export async function feel(
  browser: Browser,
  url: string,
  guest: Guest,
  act: (page: Page) => Promise<unknown>,
): Promise<Felt> {
  const context = await browser.newContext({ ...VISITOR, viewport: PHONE, isMobile: true, serviceWorkers: 'block' })
  try {
    await introduce(context, url, guest)
    const page = waitsUntilAwake(await context.newPage())
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', SLOW_4G)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    // The loader of TypeScript names functions by a helper that no page has.
    await page.addInitScript('globalThis.__name = (named) => named')
    await page.addInitScript(watch, SHORTEST_EVENT_MS)
    const answer = await page.goto(url, { waitUntil: 'networkidle' })
    if (answer?.status() !== 200) throw new Error(`${url} was answered ${answer?.status()}.`)
    const { lcp, cls } = await felt(page)
    await act(page)
    const after = await felt(page)
    return { lcp, cls: Math.max(cls, after.cls), inp: after.inp }
  } finally {
    await context.close()
  }
}

/** Once what was done is drawn: the browser hands over its entries when it is idle. */
async function felt(page: Page): Promise<Felt> {
  const drawn = () =>
    new Promise<void>((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 100))))
  await page.evaluate(drawn)
  return page.evaluate(() => window.felt)
}

async function introduce(context: BrowserContext, url: string, { session, proof }: Guest): Promise<void> {
  const cookies = Object.entries({ [SESSION_COOKIE]: session, [PROOF_COOKIE]: proof })
  for (const [name, value] of cookies)
    if (value) {
      const { origin } = new URL(url)
      await context.addCookies([{ name, value, url: origin.replace('http:', 'https:'), secure: true, httpOnly: true }])
    }
}
