import type { Browser, BrowserContext, Page } from 'playwright'
import { PROOF_COOKIE, SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import { VISITOR } from '../../support/browser.ts'
import { holdToDocument, letGo } from '../../support/described/hold.ts'
import { holdPages } from '../../support/described/hold-pages.ts'
import type { World } from '../../support/world.ts'
import { type Breaking, breakablePages } from './breaking.ts'
import type { Visit } from './cast.ts'
import { type Gate, startGate } from './gate.ts'

/** Pages that can be broken and stopped while others are as they are. */
export type Stage = {
  readonly world: World
  readonly browser: Browser
  readonly gate: Gate
  readonly breaking: Breaking
  readonly close: () => Promise<void>
}

export async function setStage(world: World, browser: Browser): Promise<Stage> {
  const breaking: Breaking = { how: null }
  const pages = await breakablePages(world, breaking)
  const gate = await startGate(pages.port)
  const url = `http://localhost:${gate.port}`
  holdToDocument(url)
  const close = async () => {
    await gate.shut()
    letGo(url)
    await pages.close()
  }
  return { world, browser, gate, breaking, close }
}

const looks = new WeakMap<BrowserContext, () => Promise<void>>()

/** Opens the form's page as whoever visits it; with script, once it keeps what is typed. */
export async function openPage(stage: Stage, visit: Visit, script: boolean): Promise<Page> {
  const { browser, world, gate } = stage
  const url = `http://localhost:${gate.port}`
  const context = await browser.newContext({
    ...VISITOR,
    baseURL: url,
    javaScriptEnabled: script,
    serviceWorkers: 'block',
    viewport: { width: 390, height: 844 },
  })
  looks.set(context, holdPages(context))
  const cookie = (name: string, value: string) =>
    context.addCookies([{ name, value, url: url.replace('http:', 'https:'), secure: true, httpOnly: true }])
  if (visit.as) {
    const session = await world.services.sessions.create({ member: visit.as.id, remember: false, label: 'Drill' })
    await cookie(SESSION_COOKIE, session.token)
  }
  if (visit.proof) await cookie(PROOF_COOKIE, visit.proof)
  context.setDefaultTimeout(8_000)
  const page = await context.newPage()
  try {
    await goTo(page, visit, script)
    if (isAway(page, visit)) throw new Error(`${visit.path} leads to ${pathOf(page)}.`)
    return page
  } catch (error) {
    await context.close()
    throw error
  }
}

/** Ends a visit, once the answers that its pages got were looked at. */
export async function closeVisit(page: Page): Promise<void> {
  const context = page.context()
  await looks.get(context)?.()
  await context.close()
}

export async function goTo(page: Page, { path }: Visit, script: boolean): Promise<void> {
  await page.goto(path)
  if (script) await page.waitForFunction(isKeeping)
}

/** What keeps forms is loaded once the page works. */
const isKeeping = () =>
  performance.getEntriesByType('resource').some(({ name }) => /\/keeping-[\w-]+\.js$/.test(name)) &&
  window.__remixRouter?.state.initialized

const pathOf = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

export const isAway = (page: Page, { path }: Visit): boolean => pathOf(page) !== path
