import type { Browser, BrowserContext, Page } from 'playwright'
import { test as base, expect } from 'playwright/test'
import { SESSION_COOKIE } from '../../app/lib/request/session-cookie.server.ts'
import { launchBrowser, VISITOR } from '../support/browser.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

export type OpenOptions = {
  as?: Person
  /** 390 × 844 as on a phone, else 1280 × 800. */
  phone?: boolean
  script?: boolean
  dark?: boolean
}
type Fixtures = {
  /** A browser of its own, whose console must stay clean. */
  open: (options?: OpenOptions) => Promise<Page>
}
type WorkerFixtures = { world: World; chromium: Browser }

/** Remix lets go of the data of a page that the member has left already; the browser calls that an error. */
const isSuperseded = (error: Error) => error.name === 'AbortError' && error.message.includes('BodyStreamBuffer')
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

/** Playwright's test with one world and one browser for each worker. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  world: [
    async ({ playwright: _none }, use) => {
      const world = await startWorld()
      await use(world)
      await world.stop()
    },
    { scope: 'worker' },
  ],
  chromium: [
    async ({ playwright: _none }, use) => {
      const browser = await launchBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  open: async ({ world, chromium }, use) => {
    const contexts: BrowserContext[] = []
    const complaints: string[] = []
    await use(async ({ as, phone = false, script = true, dark = false } = {}) => {
      const context = await chromium.newContext({
        ...VISITOR,
        baseURL: world.url,
        viewport: phone ? PHONE : DESK,
        javaScriptEnabled: script,
        colorScheme: dark ? 'dark' : 'light',
      })
      contexts.push(context)
      if (as)
        await context.addCookies([
          {
            name: SESSION_COOKIE,
            value: as.token,
            url: world.url.replace('http:', 'https:'),
            secure: true,
            httpOnly: true,
          },
        ])
      const page = await context.newPage()
      page.on(
        'console',
        (message) => message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`),
      )
      page.on('pageerror', (error) => isSuperseded(error) || complaints.push(String(error)))
      return page
    })
    await Promise.all(contexts.map((context) => context.close()))
    expect(complaints, 'the console stays clean').toEqual([])
  },
})

export { expect }
