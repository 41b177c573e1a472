import type { Browser, Page } from 'playwright'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { launchBrowser, VISITOR } from '../../support/browser.ts'
import { until } from '../../support/until.ts'
import { startWorld } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { send } from './answered.ts'
import { type Breaking, breakablePages } from './breaking.ts'
import { gather, type Place } from './cast.ts'
import { countForms, fillForm, lostFields, type TypedField, unfold } from './forms-of-page.ts'
import { type Gate, startGate } from './gate.ts'

/** An answer takes its time. */
const THERE_MS = 8_000

/** What happens between typing and sending. */
export const HARMS = ['stopped', '500', '429', 'offline', 'expired', 'signed-out'] as const
export type Harm = (typeof HARMS)[number]

/**
 * A case is a form of a page under one harm; `lost` names the fields whose text is on no page any more, and what kept a case
 * from being measured. `bare`: forms in which nothing is typed, which have no case.
 */
export type FormFigures = {
  forms: number
  bare: number
  cases: number
  fields: number
  lost: string[]
}
type Options = {
  /** Only these pages; all when absent. */
  pages?: readonly string[]
  /** At most so many forms of each page. */
  most?: number
  print?: (line: string) => void
}
type Stage = { browser: Browser; gate: Gate; breaking: Breaking; world: Awaited<ReturnType<typeof startWorld>> }
type Case = { place: Place; at: number; harm: Harm; script: boolean }

/** Types into every form of the product, harms the sending in each way, and looks for what was typed. */
export async function formDrill({ pages, most = Number.POSITIVE_INFINITY, print }: Options = {}): Promise<FormFigures> {
  const world = await startWorld()
  const breaking: Breaking = { how: null }
  const breakable = await breakablePages(world, breaking)
  const gate = await startGate(breakable.port)
  const browser = await launchBrowser()
  const stage = { browser, gate, breaking, world }
  const figures: FormFigures = { forms: 0, bare: 0, cases: 0, fields: 0, lost: [] }
  try {
    for (const place of (await gather(world)).filter(({ name }) => !pages || pages.includes(name))) {
      const forms = Math.min(most, await formsOf(stage, place))
      figures.forms += forms
      for (let at = 0; at < forms; at++) {
        const before = figures.cases
        for (const one of casesOf(place, at)) if (!(await runCase(stage, one, figures))) break
        if (figures.cases === before) figures.bare++
      }
      print?.(`  ${place.name.padEnd(16)} ${forms} forms, ${figures.cases} cases, ${figures.lost.length} lost`)
    }
  } finally {
    await browser.close()
    await gate.shut()
    await breakable.close()
    await world.stop()
  }
  return figures
}

/** Without script a stopped server and a lost network are the browser's to report; a visitor has no session to lose. */
function casesOf(place: Place, at: number): Case[] {
  const scripts = (harm: Harm) => (harm === 'stopped' || harm === 'offline' ? [true] : [true, false])
  const harms = place.as ? HARMS : HARMS.filter((harm) => harm !== 'expired' && harm !== 'signed-out')
  return harms.flatMap((harm) => scripts(harm).map((script) => ({ place, at, harm, script })))
}

const originOf = ({ gate }: Stage) => `http://localhost:${gate.port}`

async function openPage(stage: Stage, { place, script }: Pick<Case, 'place' | 'script'>): Promise<Page> {
  const { browser, world } = stage
  const context = await browser.newContext({
    ...VISITOR,
    baseURL: originOf(stage),
    javaScriptEnabled: script,
    serviceWorkers: 'block',
    viewport: { width: 390, height: 844 },
  })
  const cookie = (name: string, value: string) =>
    context.addCookies([{ name, value, url: originOf(stage).replace('http:', 'https:'), secure: true, httpOnly: true }])
  if (place.as) {
    const { as } = place
    const session = await world.services.sessions.create({ member: as.id, remember: false, label: 'Drill' })
    await cookie(SESSION_COOKIE, session.token)
  }
  if (place.proof) await cookie(PROOF_COOKIE, await place.proof())
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(place.path)
  const { pathname, search } = new URL(page.url())
  if (pathname + search !== place.path) throw new Error(`${place.path} leads to ${pathname}${search}.`)
  if (script) await page.waitForFunction(isKeeping)
  return page
}

/** What keeps forms is loaded once the page works. */
const isKeeping = () =>
  performance.getEntriesByType('resource').some(({ name }) => /\/keeping-[\w-]+\.js$/.test(name)) &&
  window.__remixRouter?.state.initialized

async function formsOf(stage: Stage, place: Place): Promise<number> {
  const page = await openPage(stage, { place, script: true })
  const count = await countForms(page)
  await page.context().close()
  return count
}

/** Whether the form takes anything typed. */
async function runCase(stage: Stage, one: Case, figures: FormFigures): Promise<boolean> {
  const { place, at, harm, script } = one
  const named = `${place.name} ${at} ${harm} ${script ? 'script' : 'plain'}`
  const page = await openPage(stage, one)
  try {
    await unfold(page, at)
    const typed = await fillForm(page, at, `Drill ${figures.cases}`)
    if (typed.length === 0) return false
    figures.cases++
    figures.fields += typed.length
    await harmed(stage, page, one)
    const lost = await lostAfter(page, one, typed)
    figures.lost.push(...lost.map((name) => `${named}: ${name}`))
  } catch (error) {
    figures.lost.push(`${named}: ${String(error).split('\n')[0]}`)
  } finally {
    // Nothing of the page may be sent once the harm is over.
    await page.context().close()
    stage.breaking.how = null
    await stage.gate.open()
  }
  return true
}

async function harmed(stage: Stage, page: Page, { place, at, harm, script }: Case): Promise<void> {
  if (harm === 'stopped') await stage.gate.shut()
  else if (harm === '500' || harm === '429') stage.breaking.how = harm
  else if (harm === 'offline') await page.context().setOffline(true)
  else if (harm === 'expired') await page.context().clearCookies({ name: SESSION_COOKIE })
  else await signOutElsewhere(page)
  // A page that hears of the end leads to the login by itself.
  if (harm === 'signed-out' && script && place.as) await page.waitForURL(/\/login|\/$/).catch(() => undefined)
  if (isAway(page, place)) return
  await send(page, at, { script, mayKeep: harm === 'stopped' || harm === 'offline' })
}

const isAway = (page: Page, { path }: Place) => new URL(page.url()).pathname !== path.split('?')[0]

async function signOutElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto('/notifications')
  const menu = other.locator('summary[title=Menu]')
  if (await menu.isVisible()) await menu.click()
  await other.getByRole('button', { name: 'Signout' }).locator('visible=true').first().click()
  await other.waitForURL((url) => url.pathname === '/')
  await other.close()
}

/** Looked for until it is there: answers take their time. */
async function lostAfter(
  page: Page,
  { place, at, harm }: Case,
  typed: readonly TypedField[],
): Promise<readonly string[]> {
  if (harm === 'expired' || harm === 'signed-out') await comeBack(page, place, at)
  else await page.waitForLoadState()
  let lost: readonly string[] = []
  const isThere = async () => {
    lost = await lostFields(page, typed).catch((error) => [`the page, ${String(error).split('\n')[0]}`])
    return lost.length === 0
  }
  await until('everything typed is on the page', isThere, THERE_MS).catch(() => undefined)
  return lost
}

/** Signs in where the page led, and goes to the form where no login leads there: that of staff. */
async function comeBack(page: Page, place: Place, at: number): Promise<void> {
  const { email, password } = place.as as Person
  await page.waitForURL(/\/login|\/$/)
  if (new URL(page.url()).pathname === '/') await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  if (isAway(page, place)) await page.goto(place.path)
  await unfold(page, at)
}
