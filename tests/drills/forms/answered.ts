import type { Page, Request } from 'playwright'
import { until } from '../../support/until.ts'
import { sendForm } from './forms-of-page.ts'

const ANSWER_MS = 15_000
/** How long a page may take that sends nothing: one without a network keeps it, one that refuses what was typed reports it. */
const UNSENT_MS = 2_000

/** `mayKeep`: nothing answers, so that a page may keep what it would send. */
type Sending = { readonly script: boolean; readonly mayKeep: boolean }

/** Sends the form, and waits until what came of it is on the page. */
export async function send(page: Page, at: number, { script, mayKeep }: Sending): Promise<void> {
  if (!script) return sendPlain(page, at)
  const open = new Set<Request>()
  let sent = 0
  const begins = (request: Request) => {
    if (!isForm(request)) return
    open.add(request)
    sent++
  }
  const ends = (request: Request) => void open.delete(request)
  page.on('request', begins)
  page.on('requestfinished', ends)
  page.on('requestfailed', ends)
  await sendForm(page, at)
  const isSent = async () => sent > 0
  await until('the form is sent', isSent, UNSENT_MS).catch(async (error) => {
    if (!mayKeep && !(await isRefusedHere(page))) throw error
  })
  await until('what is sent is answered', async () => open.size === 0, ANSWER_MS)
  await page.waitForFunction(isIdle)
}

/** The answer is another document, whatever it is. */
async function sendPlain(page: Page, at: number): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-before', ''))
  await sendForm(page, at)
  const isOther = () =>
    page
      .evaluate(() => document.body !== null && !document.documentElement.hasAttribute('data-before'))
      .catch(() => false)
  await until('the form is answered', isOther, ANSWER_MS)
  await page.waitForLoadState()
}

/** The wizard keeps its draft by itself while somebody types. */
const isForm = (request: Request) => request.method() === 'POST' && !request.url().includes('/register/draft')

/** What was typed is wrong by the page's own rules, which it shows. */
const isRefusedHere = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.querySelector('main :invalid, main [aria-invalid=true]') !== null)

/** The router has what came of it, and the page has shown that. */
const isIdle = () => {
  const { navigation, fetchers } = window.__remixRouter.state
  return navigation.state === 'idle' && [...fetchers.values()].every(({ state }) => state === 'idle')
}
