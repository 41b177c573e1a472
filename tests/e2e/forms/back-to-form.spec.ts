import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect, hostCookie, test } from '../fixture.ts'

const WORDS = 'Of the first member alone'

const become = (page: Page, world: World, person: Person) =>
  page.context().addCookies([hostCookie(world, SESSION_COOKIE, person.token)])

/** Into this form, and away by a document load. */
async function typeAndLeave(page: Page, path: string, label: string): Promise<void> {
  await page.goto(path)
  await page.getByLabel(label).fill(WORDS)
  await page.goto('/privacy')
}

/** The browser fills fields once the whole page is there. */
async function goBack(page: Page, person: Person): Promise<void> {
  await page.goBack({ waitUntil: 'load' })
  await expect(page.locator(`:is(main, dialog) [name=as][value="${person.id}"]`).first()).toBeAttached()
}

for (const script of [true, false])
  test(`with${script ? '' : 'out'} script the way back gives what one member typed to nobody else, and to that member again`, async ({
    world,
    open,
  }) => {
    const [ann, bea, cid] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cid')]
    await world.match(ann, cid)
    await world.match(bea, cid)
    await world.settled()
    const page = await open({ as: ann, script, refusals: true })
    for (const [path, label] of [
      [`/report/${cid.id}`, 'In your own words'],
      ['/profile/edit?section=about', 'Bio'],
      [`/chat/${cid.id}`, 'Message to Cid'],
    ] as const) {
      await become(page, world, ann)
      await typeAndLeave(page, path, label)
      await goBack(page, ann)
      await expect(page.getByLabel(label)).toHaveValue(WORDS)
      await typeAndLeave(page, path, label)
      await become(page, world, bea)
      await goBack(page, bea)
      // What the page has itself done by then is done.
      if (script) await page.waitForFunction(() => window.__remixRouter?.state.initialized)
      await expect(page.getByLabel(label)).toHaveValue('')
      expect(script ? await page.evaluate(() => Object.values(sessionStorage).join()) : '').not.toContain(WORDS)
    }
  })
