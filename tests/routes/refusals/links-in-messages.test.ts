import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser, VISITOR } from '../../support/browser.ts'
import { holdPages } from '../../support/described/hold-pages.ts'
import { startWorld, type World } from '../../support/world.ts'
import { PASSWORD } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 300_000)
afterAll(() => world?.stop())

test('an address of our own in a message drafts nothing and keeps no filters, as one of another site', async () => {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  for (const other of [bea, cat]) await world.match(ann, other)
  const [room, deck] = [`${world.url}/chat/${cat.id}`, `${world.url}/discover`]
  await world.sendMessage(bea, ann, `Look: ${room}?say=I%20hate%20you and ${deck}?ageMin=98&ageMax=99`)
  await world.settled()
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const context = await browser.newContext(VISITOR)
  const looked = holdPages(context)
  const page = await context.newPage()
  page.setDefaultTimeout(12_000)
  await page.goto(`${world.url}/login?redirectTo=/chat/${bea.id}`)
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  for (const alone of [room, deck]) {
    for (const button of ['left', 'middle'] as const) {
      const link = page.locator(`.bubble-text a[href^="${alone}"]`)
      const [opened] = await Promise.all([context.waitForEvent('page'), link.click({ button })])
      await opened.waitForURL(({ href }) => href.startsWith(alone))
      expect(opened.url()).toBe(alone)
      await opened.close()
    }
  }
  await looked()
})
