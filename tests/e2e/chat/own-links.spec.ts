import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../../domain/identity/member.ts'
import { expect, test } from '../fixture.ts'

for (const script of [true, false])
  test(`an address of our own in a message leads to the page alone, ${script ? 'with' : 'without'} script`, async ({
    world,
    open,
  }) => {
    const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
    for (const other of [bea, cat]) await world.match(ann, other)
    const [room, deck, look] = [`${world.url}/chat/${cat.id}`, `${world.url}/discover`, `${world.url}/audit/${cat.id}`]
    const words = `Look: ${room}?say=I%20hate%20you and ${deck}?ageMin=98&ageMax=99 and ${look}?kind=profile`
    await world.sendMessage(bea, ann, words)
    await world.settled()
    const page = await open({ as: ann, script })
    await page.goto(`/chat/${bea.id}`)
    await expect(page.locator('.bubble-text')).toHaveText(words)
    const links = page.locator('.bubble-text a')
    await expect(links).toHaveCount(2)
    for (const [at, alone] of [room, deck].entries()) await expect(links.nth(at)).toHaveAttribute('href', alone)
    if (!script) return
    await world.sendMessage(bea, ann, `Again: ${room}?say=I%20hate%20you`)
    await expect(links).toHaveCount(3)
    await expect(links.last()).toHaveAttribute('href', room)
  })

test('a page that was typed keeps its address, loaded again and by Back from another document', async ({
  world,
  open,
}) => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const role = { type: 'GrantRole', member: ann.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.core.dispatch(memberDecider, role, { commandId: randomUUID(), actor: role.by })
  const visits = [
    { page: await open(), typed: '/login?redirectTo=/discover?ageMin=30', next: '/contact' },
    { page: await open({ as: ann }), typed: `/audit/${bea.id}?kind=profile`, next: `/audit/${ann.id}` },
  ]
  for (const { page, typed, next } of visits) {
    await page.goto(typed)
    // As the page's script does, which makes the entry its own.
    await page.evaluate(() => history.replaceState(history.state, ''))
    await page.reload()
    expect(page.url()).toBe(world.url + typed)
    await page.goto(next)
    await page.goBack()
    expect(page.url()).toBe(world.url + typed)
  }
})
