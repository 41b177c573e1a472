import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
})
afterAll(() => world.stop())

const post = (path: string, body: object = {}) =>
  world.api(path, { as: ann, method: 'POST', body: JSON.stringify(body) })

/** Two of whom the first is deactivated and the second has blocked Ann, after the same had happened between them and her. */
async function away(happened: (other: Person) => Promise<unknown>) {
  const both = [await world.member('Beatrix'), await world.member('Catriona')] as const
  for (const other of both) await happened(other)
  await world.account(both[0], 'Deactivate')
  await world.block(both[1], ann)
  await world.settled()
  return both
}
/** What Ann sees of each. */
const seen = async <T>(others: readonly [Person, Person], look: (other: Person) => Promise<T>) => [
  await look(others[0]),
  await look(others[1]),
]

test('no page and no call shows whether somebody blocked one or is deactivated', async () => {
  const others = await away((other) => world.match(ann, other))
  const [deactivated, blocker] = await seen(others, async ({ id }) => {
    const call = await world.api(`/users/${id}`, { as: ann })
    return [call.status, await call.json()]
  })
  expect(deactivated).toEqual(blocker)
  for (const path of ['viewProfile', 'block', 'unmatch', 'report', 'chat', 'match', 'preview']) {
    const [deactivated, blocker] = await seen(others, async ({ id, name }) => {
      const page = await world.page(`/${path}/${id}`, { as: ann })
      const html = await page.text()
      return [page.status, page.headers.get('Location')?.replace(id, ''), html.includes(name)]
    })
    expect(deactivated, path).toEqual(blocker)
    expect(deactivated?.[2], path).toBe(false)
  }
})

test('nor does anything that one does to a former match', async () => {
  const others = await away((other) => world.match(ann, other))
  const acts = {
    skip: (to: string) => post('/discover/skip', { to }),
    'undo the skip': (to: string) => world.api(`/discover/skip/${to}`, { as: ann, method: 'DELETE' }),
    like: (to: string) => post('/likes', { to }),
    message: (to: string) => post(`/chat/${to}/messages`, { id: crypto.randomUUID(), text: 'Hi' }),
    unmatch: (to: string) => post(`/unmatch/${to}`),
  }
  for (const [name, act] of Object.entries(acts)) {
    const [deactivated, blocker] = await seen(others, async ({ id }) => {
      const answer = await act(id)
      return [answer.status, ((await answer.json()) as { error?: string }).error]
    })
    expect(deactivated, name).toEqual(blocker)
  }
})

test.each(['buzz', 'match'] as const)('nor does a buzz that is taken back, after a %s', async (what) => {
  const others = await away((other) => world[what](ann, other))
  const [deactivated, blocker] = await seen(others, async ({ id }) => {
    const body = new URLSearchParams({ intent: 'withdraw', commandId: crypto.randomUUID() })
    const answer = await world.page(`/viewProfile/${id}`, { as: ann, method: 'POST', body })
    return [answer.status, answer.headers.get('Location')?.replace(id, '')]
  })
  expect(deactivated).toEqual(blocker)
})

test('a stranger who can be seen is no match that ends', async () => {
  const dan = await world.member('Dan')
  const answer = await post(`/unmatch/${dan.id}`)
  expect([answer.status, await answer.json()]).toMatchObject([409, { error: 'You need to be matched first!' }])
})
