import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newcomer } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

async function pair(): Promise<[Person, Person]> {
  const people: [Person, Person] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(...people)
  await world.settled()
  return people
}
const write = (from: Person, to: Person, fields: Record<string, string>) =>
  world.page(`/chat/${to.id}`, { as: from, method: 'POST', body: new URLSearchParams(fields) })
const shown = async (answer: Response) => (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '')
const textsOf = async (from: Person, other: Person) =>
  (await (await world.api(`/chat/${other.id}/messages`, { as: from })).json()).messages.map(
    ({ text }: { text: string }) => text,
  )

test('a message that comes after the end of the match is shown back, with the sentence, on the page that closed', async () => {
  const [ann, bea] = await pair()
  await world.unmatch(bea, ann)
  await world.settled()
  const answer = await write(ann, bea, { id: randomUUID(), text: 'see you at seven' })
  expect(answer.status).toBe(409)
  const page = await shown(answer)
  expect(page).toContain('You need to be matched first!')
  expect(page).toContain('see you at seven')
})

test('a message that is edited and sent again is a message of its own; sent twice it is one', async () => {
  const [ann, bea] = await pair()
  const id = randomUUID()
  const texts = ['see you at seven', 'see you at eight, not seven', 'see you at eight, not seven', ' see you at seven ']
  for (const text of texts) expect((await write(ann, bea, { id, text })).status).toBe(302)
  await world.settled()
  expect(await textsOf(bea, ann)).toEqual(['see you at eight, not seven', 'see you at seven'])
})

test('a last step that lacks something leads to what is missing, and says so', async () => {
  const { signupToken } = await newcomer(world)
  const headers = { Cookie: `__Host-signup=${signupToken}` }
  const body = new URLSearchParams({ go: 'on' })
  const answer = await world.page('/register?step=6', { method: 'POST', headers, body })
  expect([answer.status, answer.headers.get('Location')]).toEqual([302, '/register?step=1&incomplete'])
  const step = await shown(await world.page('/register?step=1&incomplete', { headers }))
  expect(step).toContain('Please complete all required sections.')
})
