import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversations } from '../../../projections/conversations/project.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('words of an erased member show to nobody, also while the rows still have them', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  const write = (text: string, as: typeof ann, to: typeof ann) =>
    world.page(`/chat/${to.id}`, { as, method: 'POST', body: new URLSearchParams({ id: crypto.randomUUID(), text }) })
  await write('mine stays', bea, ann)
  await write('the secret of Ann', ann, bea)
  await world.settled()
  expect((await world.api('/account/delete', { as: ann, method: 'DELETE' })).status).toBe(200)
  await world.settled()
  // As before the last piece of a very large erasure.
  await world.core.storage.pool.query(
    `update p_conversations_v${conversations.version}.message set text = 'the secret of Ann' where from_member = $1`,
    [ann.id],
  )
  const { messages } = await (await world.api(`/chat/${ann.id}/messages`, { as: bea })).json()
  expect(messages).toMatchObject([
    { text: '', deleted: true },
    { text: 'mine stays', from: bea.id },
  ])
  for (const path of ['/chat', `/chat/${ann.id}`])
    expect(await (await world.page(path, { as: bea })).text()).not.toContain('the secret')
})
