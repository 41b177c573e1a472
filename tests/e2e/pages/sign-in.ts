import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { hostCookie } from '../fixture.ts'

/** The browser is this member's from the next page that it opens on; what it has loaded it keeps. */
export async function signInAs(page: Page, world: World, { token }: Person): Promise<void> {
  await page.context().clearCookies()
  await page.context().addCookies([hostCookie(world, SESSION_COOKIE, token)])
}
