import type { Page, Request, Response } from 'playwright'
import { until } from '../../support/until.ts'
import { sendForm } from './forms-of-page.ts'

const ANSWER_MS = 8_000
/** How long a page may take that sends nothing: one without a network keeps it, one that refuses what was typed reports it. */
const UNSENT_MS = 1_500

/** What the form's request was answered with; null where the page sent none, or none came. */
export type Answer = { readonly status: number } | null

/** `mayKeep`: nothing answers, so that a page may keep what it would send. */
type Sending = { readonly script: boolean; readonly mayKeep: boolean }

/** Sends the form, and waits until what came of it is on the page. */
export const send = (page: Page, at: number, { script, mayKeep }: Sending): Promise<Answer> =>
  answered(page, () => sendForm(page, at), { script, mayKeep })

/** The same for anything that is pressed. */
export async function answered(page: Page, press: () => Promise<void>, { script, mayKeep }: Sending): Promise<Answer> {
  let answer: Answer = null
  const open = new Set<Request>()
  let sent = 0
  const begins = (request: Request) => {
    if (!isForm(request)) return
    open.add(request)
    sent++
  }
  const ends = (request: Request) => void open.delete(request)
  const comes = (response: Response) => {
    if (isForm(response.request())) answer = { status: response.status() }
  }
  page.on('request', begins)
  page.on('requestfinished', ends)
  page.on('requestfailed', ends)
  page.on('response', comes)
  try {
    if (!script) await pressPlain(page, press)
    else {
      await press()
      await until('the form is sent', () => sent > 0, mayKeep ? UNSENT_MS : UNSENT_MS * 2).catch(() => undefined)
      await until('what is sent is answered', () => open.size === 0, ANSWER_MS)
      await page.waitForFunction(isIdle)
    }
  } finally {
    page.off('request', begins)
    page.off('requestfinished', ends)
    page.off('requestfailed', ends)
    page.off('response', comes)
  }
  return answer
}

/** The answer is another document, whatever it is. */
async function pressPlain(page: Page, press: () => Promise<void>): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-before', ''))
  await press()
  const isOther = () =>
    page
      .evaluate(() => document.body !== null && !document.documentElement.hasAttribute('data-before'))
      .catch(() => false)
  await until('the form is answered', isOther, ANSWER_MS)
  await page.waitForLoadState()
}

/** The wizard keeps its draft by itself while somebody types. */
const isForm = (request: Request) => request.method() === 'POST' && !request.url().includes('/register/draft')

/** The router has what came of it. What is read again meanwhile may wait for a server that is away. */
const isIdle = () => {
  const { navigation, fetchers } = window.__remixRouter.state
  return navigation.state !== 'submitting' && [...fetchers.values()].every(({ state }) => state !== 'submitting')
}

/** The page reads nothing any more; one without a router never does. */
export const isSettled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const state = window.__remixRouter?.state
    const all = state && [
      state.navigation.state,
      state.revalidation,
      ...[...state.fetchers.values()].map((one) => one.state),
    ]
    return !all || all.every((one) => one === 'idle')
  })
