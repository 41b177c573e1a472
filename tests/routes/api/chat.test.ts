import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world.stop())

const sends = async (from: Person, to: Person, id: string, text: string) => {
  const body = JSON.stringify({ id, text })
  const answer = await world.api(`/chat/${to.id}/messages`, { as: from, method: 'POST', body })
  return { status: answer.status, json: await answer.json() }
}

test('an id that the other side used is 409, and the message stays theirs', async () => {
  expect(await sends(ann, bea, 'mine', 'Mine')).toMatchObject({ status: 200, json: { message: { text: 'Mine' } } })
  const refused = await sends(bea, ann, 'mine', 'No, mine')
  expect([refused.status, refused.json]).toEqual([409, { error: 'That did not go through. Please try again.' }])
  expect((await sends(ann, bea, 'mine', 'Mine')).json.message).toMatchObject({ from: ann.id, text: 'Mine' })
  await world.settled()
  const { messages } = await (await world.api(`/chat/${ann.id}/messages`, { as: bea })).json()
  expect(messages.map(({ from, text }: { from: string; text: string }) => [from, text])).toEqual([[ann.id, 'Mine']])
})
