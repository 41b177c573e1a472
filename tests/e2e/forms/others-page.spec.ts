import type { Page } from 'playwright'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect, hostCookie, test } from '../fixture.ts'

const WORDS = 'Of the first member alone'
const REFUSED = 'This page was opened as another member. Nothing was sent.'
const kept = (page: Page, text: string) =>
  page.waitForFunction((part) => Object.values(sessionStorage).some((value) => String(value).includes(part)), text)
const stored = (page: Page) => page.evaluate(() => Object.values(sessionStorage).join())

/** The browser's cookies are another member's, of which the open page has not heard. */
const become = (page: Page, world: World, person: Person) =>
  page.context().addCookies([hostCookie(world, SESSION_COOKIE, person.token)])

test('a sheet that begins in its field gives another member nothing that was typed there', async ({ world, open }) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const page = await open({ as: ann, refusals: true })
  await page.goto('/profile/edit?section=about')
  const bio = page.getByLabel('Bio')
  await bio.fill(WORDS)
  await kept(page, WORDS)
  await become(page, world, bea)
  await page.evaluate(() => window.__remixRouter.revalidate())
  await expect(page.locator(`dialog [name=as][value="${bea.id}"]`)).toBeAttached()
  await expect(bio).toHaveValue('')
  await expect(page.getByText('What you typed here before is back')).toHaveCount(0)
  // Once the page keeps again, nothing of the first member waits to be kept.
  await bio.fill('Words of Bea')
  await kept(page, 'Words of Bea')
  expect(await stored(page)).not.toContain(WORDS)
})

test('a form of another member’s page is not done, and the page becomes one’s own', async ({ world, open }) => {
  const [cid, dot, eve] = [await world.member('Cid'), await world.member('Dot'), await world.member('Eve')]
  const page = await open({ as: cid, refusals: true })
  await page.goto(`/report/${eve.id}`)
  const words = page.getByLabel('In your own words')
  await words.fill(WORDS)
  await kept(page, WORDS)
  await become(page, world, dot)
  await page.getByRole('button', { name: 'Send report' }).click()
  // In the page of before it may show for a moment too.
  await expect(page.getByRole('status').getByText(REFUSED)).toBeVisible()
  await expect(page.locator(`main [name=as][value="${dot.id}"]`)).toBeAttached()
  await expect(words).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await words.fill('Words of Dot')
  await kept(page, 'Words of Dot')
  expect(await stored(page)).not.toContain(WORDS)
})

test('a sheet of another member’s page is not saved, and says so over one’s own', async ({ world, open }) => {
  const [fay, gus] = [await world.member('Fay'), await world.member('Gus')]
  const page = await open({ as: fay, refusals: true })
  await page.goto('/profile/edit?section=about')
  const bio = page.getByLabel('Bio')
  await bio.fill(WORDS)
  await become(page, world, gus)
  await page.getByRole('button', { name: 'Save about you' }).click()
  await expect(page.locator(`dialog [name=as][value="${gus.id}"]`)).toBeAttached()
  await expect(page.getByRole('status').getByText(REFUSED)).toBeVisible()
  await expect(bio).toHaveValue('')
})

test('without script it is refused as well, on one’s own page', async ({ world, open }) => {
  const [hal, ida] = [await world.member('Hal'), await world.member('Ida')]
  const page = await open({ as: hal, script: false, refusals: true })
  await page.goto('/profile/edit?section=about')
  await page.getByLabel('Bio').fill(WORDS)
  await become(page, world, ida)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText(REFUSED).first()).toBeVisible()
  await expect(page.getByLabel('Bio')).toHaveValue('')
})
