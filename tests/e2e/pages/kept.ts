import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { hostCookie } from '../fixture.ts'

export const BACK = 'What you typed here before is back, and not sent yet.'

/** The browser keeps it a moment after the last key. */
export const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)

export const stored = (page: Page) => page.evaluate(() => Object.values(sessionStorage).join())

/** The browser's cookies are another member's, of which the open page has not heard. */
export const become = (page: Page, world: World, person: Person) =>
  page.context().addCookies([hostCookie(world, SESSION_COOKIE, person.token)])

/** Without a document load, as a link of the page leads. */
export const go = (page: Page, to: string) => page.evaluate((path) => window.__remixRouter.navigate(path), to)

/** Once the page is this member's. */
export const isOf = (page: Page, { id }: Person) =>
  page.waitForFunction(
    (member) => (window.__remixRouter.state.loaderData.root as { member?: { id: string } })?.member?.id === member,
    id,
  )
