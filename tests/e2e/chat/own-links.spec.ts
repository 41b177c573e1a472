import { expect, test } from '../fixture.ts'

test('an address of our own in a message drafts nothing and keeps no filters, as one of another site', async ({
  world,
  open,
}) => {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  for (const other of [bea, cat]) await world.match(ann, other)
  const [room, deck] = [`${world.url}/chat/${cat.id}`, `${world.url}/discover`]
  await world.sendMessage(bea, ann, `Look: ${room}?say=I%20hate%20you and ${deck}?ageMin=98&ageMax=99`)
  await world.settled()
  const page = await open({ as: ann })
  await page.goto(`/chat/${bea.id}`)
  for (const alone of [room, deck]) {
    for (const button of ['left', 'middle'] as const) {
      const link = page.locator(`.bubble-text a[href^="${alone}"]`)
      const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click({ button })])
      await opened.waitForURL(({ href }) => href.startsWith(alone))
      expect(opened.url()).toBe(alone)
      await opened.close()
    }
  }
})

test('a page keeps its address through a reload, though nothing led to it', async ({ world, open }) => {
  const page = await open()
  const typed = `${world.url}/login?redirectTo=/discover?ageMin=30`
  await page.goto(typed)
  await page.evaluate(() => history.replaceState(history.state, ''))
  await page.reload()
  expect(page.url()).toBe(typed)
})
