import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { Stage } from './stage.ts'

/** What happens between typing and sending. */
export const HARMS = ['500', '502', '429', 'offline', 'stopped', 'expired', 'signed-out'] as const
export type Harm = (typeof HARMS)[number]

/** With which the session is over. */
const ENDING: ReadonlySet<Harm> = new Set(['expired', 'signed-out'])
export const endsSession = (harm: Harm): boolean => ENDING.has(harm)

/** Nothing answers: a page may keep what it would send. */
export const isUnanswered = (harm: Harm): boolean => harm === 'offline' || harm === 'stopped'

type Meeting = { readonly isOfMembers: boolean; readonly script: boolean; readonly harm: Harm }

/** Whether a form can meet it: a visitor has no session to lose. */
export const canMeet = ({ isOfMembers, harm }: Meeting): boolean => isOfMembers || !endsSession(harm)

/** Whether nothing of the product answers: without script a proxy's page, a stopped server and a lost network are the browser's. */
export const isExcepted = ({ script, harm }: Meeting): boolean => !script && (harm === '502' || isUnanswered(harm))

const FORM_ADDRESS = '**/*'
const BAD_GATEWAY = { status: 502, contentType: 'text/html', body: '<html><h1>502 Bad Gateway</h1></html>' }

export async function harm({ gate, breaking }: Stage, page: Page, how: Harm): Promise<void> {
  if (how === '500' || how === '429') breaking.how = how
  else if (how === 'stopped') await gate.shut()
  else if (how === 'offline') await page.context().setOffline(true)
  else if (how === 'expired') await page.context().clearCookies({ name: SESSION_COOKIE })
  else if (how === 'signed-out') await signOutElsewhere(page)
  else
    await page.route(FORM_ADDRESS, (route) =>
      route.request().method() === 'POST' ? route.fulfill(BAD_GATEWAY) : route.continue(),
    )
}

/** All is well again; a session that ended stays ended. */
export async function heal({ gate, breaking }: Stage, page: Page | undefined): Promise<void> {
  breaking.how = null
  await gate.open()
  if (!page || page.isClosed()) return
  await page.context().setOffline(false)
  await page.unroute(FORM_ADDRESS)
}

async function signOutElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto('/notifications')
  const menu = other.locator('summary[title=Menu]')
  if (await menu.isVisible()) await menu.click()
  await other.getByRole('button', { name: 'Signout' }).locator('visible=true').first().click()
  await other.waitForURL((url) => url.pathname === '/')
  await other.close()
}
