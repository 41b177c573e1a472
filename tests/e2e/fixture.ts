import type { Browser, BrowserContext, Page } from 'playwright'
import { test as base, expect } from 'playwright/test'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { FEW_PROCESSES, launchBrowser, VISITOR } from '../support/browser.ts'
import { holdFetch, takeComplaints } from '../support/described/hold.ts'
import { holdPages } from '../support/described/hold-pages.ts'
import { startWorld } from '../support/programs/bundled-world.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { waitsUntilAwake } from './pages/awake.ts'

export type OpenOptions = {
  as?: Person
  /** 390 × 844 as on a phone, else 1280 × 800. */
  phone?: boolean
  script?: boolean
  /** Refused and failed requests are part of what is looked at: the browser's line on them is no complaint. */
  refusals?: boolean
  /** false: nothing that a page runs is refused by the policy it came with. */
  policy?: boolean
  /** With the page for when there is no network, whose script no test can answer for. */
  offlinePage?: boolean
  /** With the scripts of the pages that a page leads to, which one that loses its network has need of. */
  ahead?: boolean
  /** Another one than that of the worker. */
  world?: World
}
type Fixtures = {
  /** A browser of its own, whose console must stay clean; what it is answered holds to `/openapi.json`. */
  open: (options?: OpenOptions) => Promise<Page>
}
type WorkerFixtures = { world: World; chromium: Browser }

/** What the browser logs of an answer that is no success, does not come, or that a test lets it not ask for; and Remix, of one that it cannot read. */
const REFUSAL =
  /^(Failed to load resource: (the server responded with a status of (4\d\d|50[23]) |net::ERR_(FAILED|BLOCKED_BY_CLIENT|CONNECTION_RESET|CONNECTION_REFUSED|INTERNET_DISCONNECTED))|(Failed to fetch manifest patches )?TypeError: Failed to fetch|SyntaxError\n)/
/** Scripts that a page loads ahead, once the test has taken its network away. */
const OFFLINE = /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/
/**
 * Remix lets go of data that is read anew, or of a page that the member has left; the browser calls that an error, also where
 * Remix hears of it only once the sheets of the page that was asked for are loaded.
 */
const SUPERSEDED = /^AbortError: (BodyStreamBuffer was aborted|signal is aborted without reason)/
/** What the browser is made to warn of where a page would have its service worker, which `offlinePage` alone allows. */
export const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** A cookie as the product sets its own. */
export function hostCookie({ url }: World, name: string, value: string) {
  return { name, value, url: url.replace('http:', 'https:'), secure: true, httpOnly: true }
}

/** As on the slowest of networks, where no page loads the scripts of other pages. */
const callNetworkSlow = () => {
  if ('connection' in navigator) Object.defineProperty(navigator.connection, 'effectiveType', { get: () => 'slow-2g' })
}

holdFetch()

/** Playwright's test with one world and one browser for each worker. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  world: [
    async ({ playwright: _none }, use) => {
      const world = await startWorld()
      await use(world)
      await world.stop()
    },
    // The pages are built first where their sources are new.
    { scope: 'worker', timeout: 180_000 },
  ],
  chromium: [
    async ({ playwright: _none }, use) => {
      const browser = await launchBrowser(FEW_PROCESSES)
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  open: async ({ world: shared, chromium }, use) => {
    const contexts: BrowserContext[] = []
    const complaints: string[] = []
    const answers: (() => Promise<void>)[] = []
    takeComplaints()
    await use(async (options = {}) => {
      const {
        as,
        phone = false,
        script = true,
        refusals = false,
        offlinePage = false,
        policy = true,
        ahead = offlinePage,
        world = shared,
      } = options
      const context = await chromium.newContext({
        ...VISITOR,
        baseURL: world.url,
        viewport: phone ? PHONE : DESKTOP,
        javaScriptEnabled: script,
        bypassCSP: !policy,
        serviceWorkers: offlinePage ? 'allow' : 'block',
      })
      contexts.push(context)
      if (!ahead) await context.addInitScript(callNetworkSlow)
      answers.push(holdPages(context))
      if (as) await context.addCookies([hostCookie(world, SESSION_COOKIE, as.token)])
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() !== 'error' || SUPERSEDED.test(message.text()) || OFFLINE.test(message.text())) return
        if (refusals && REFUSAL.test(message.text())) return
        complaints.push(`${message.text()} ${message.location().url}`)
      })
      page.on('pageerror', (error) => SUPERSEDED.test(String(error)) || complaints.push(String(error)))
      return script ? waitsUntilAwake(page) : page
    })
    await Promise.all(answers.map((looked) => looked()))
    await Promise.all(contexts.map((context) => context.close()))
    expect(complaints, 'the console stays clean').toEqual([])
    expect(takeComplaints(), 'answers hold to /openapi.json').toEqual([])
  },
})

export { expect }
