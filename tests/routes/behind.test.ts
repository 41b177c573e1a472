import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { holdBack } from '../projections/behind.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
})
afterAll(() => world.stop())

test('a write waits for what its sender has heard of by a push, and says so when the read models stay behind', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const letGo = await holdBack(world, 'conversations')
  const id = randomUUID()
  await world.sendMessage(ann, bea, 'Heard before it can be read', id)
  const heard = await world.core.log.head()
  const read = () =>
    world.page(`/chat/${ann.id}`, {
      method: 'POST',
      headers: { Cookie: `${bea.cookie}; __Host-live=${heard}` },
      body: new URLSearchParams({ intent: 'read', id, live: 'yes' }),
    })
  const early = await read()
  expect([early.status, early.headers.get('X-Log-Behind')]).toEqual([404, 'true'])
  const soon = read()
  await letGo()
  expect([(await soon).status, (await soon).headers.get('X-Log-Behind')]).toEqual([200, null])
})

const post = (as: Person, to: Person, text: string, headers: Record<string, string> = {}) =>
  world.api(`/chat/${to.id}/messages`, {
    method: 'POST',
    as,
    headers,
    body: JSON.stringify({ id: randomUUID(), text }),
  })
const headOf = ({ status, headers }: Response) => [status, headers.get('X-Log-Behind')]
const positionOf = ({ headers }: Response) => ({ 'X-Log-Position': headers.get('X-Log-Position')! })

test('a write waits for the read models that show it, and for no other', async () => {
  const [gil, hana] = [await world.member('Gil'), await world.member('Hana')]
  await world.match(gil, hana)
  await world.settled()
  for (const slow of ['histories', 'discover']) {
    const letGo = await holdBack(world, slow)
    const sent = await post(gil, hana, `While ${slow} are slow`)
    expect([slow, ...headOf(sent)]).toEqual([slow, 200, null])
    const read = await world.api(`/chat/${hana.id}/messages`, { as: gil, headers: positionOf(sent) })
    expect([slow, ...headOf(read)]).toEqual([slow, 200, slow === 'histories' ? null : 'true'])
    await letGo()
  }
})

test('what somebody wrote before is waited for as well, until it shows', async () => {
  const [ivo, jan] = [await world.member('Ivo'), await world.member('Jan')]
  await world.match(ivo, jan)
  await world.settled()
  const letGo = await holdBack(world, 'profiles')
  const edited = await world.api('/users/me', { method: 'PUT', as: ivo, body: JSON.stringify({ bio: 'New here' }) })
  expect(headOf(edited)).toEqual([200, 'true'])
  const sent = await post(ivo, jan, 'And then this', positionOf(edited))
  expect(headOf(sent)).toEqual([200, 'true'])
  const looking = world.api('/users/me', { as: ivo, headers: positionOf(sent) })
  await letGo()
  const look = await looking
  expect(headOf(look)).toEqual([200, null])
  expect(await look.json()).toMatchObject({ bio: 'New here' })
})

const NEVER = 'z'.repeat(13)

test('a position that nobody wrote keeps nobody waiting', async () => {
  const [cat, dora] = [await world.member('Cat'), await world.member('Dora')]
  const waits = vi.spyOn(world.product.projector!, 'waitFor')
  onTestFinished(() => waits.mockRestore())
  const asked: readonly [string, () => Promise<Response>][] = [
    ['a call', () => world.api('/users/me', { as: cat, headers: { 'X-Log-Position': NEVER } })],
    ['a call without a session', () => world.api('/users/me', { headers: { 'X-Log-Position': NEVER } })],
    ['a page', () => world.page('/login', { headers: { 'X-Log-Position': NEVER } })],
    ['a cookie', () => world.page('/login', { headers: { Cookie: `__Host-live=${NEVER}` } })],
  ]
  for (const [name, ask] of asked) {
    const answer = await ask()
    expect([name, answer.headers.get('X-Log-Behind')]).toEqual([name, 'true'])
    expect(waits, name).not.toHaveBeenCalled()
  }
  // One that was written is waited for.
  const letGo = await holdBack(world, 'conversations')
  await world.buzz(cat, dora)
  const written = await world.core.log.head()
  const soon = world.api('/users/me', { as: cat, headers: { 'X-Log-Position': written } })
  await until('it is waited for', () => waits.mock.calls.some(([position]) => position === written))
  await letGo()
  expect(headOf(await soon)).toEqual([200, null])
})

test('who is over the limit of their address is refused before anything is waited for', async () => {
  const [dan, eve] = [await world.member('Dan'), await world.member('Eve')]
  const letGo = await holdBack(world, 'conversations')
  await world.buzz(dan, eve)
  const headers = { 'X-Log-Position': await world.core.log.head() }
  const { take, reset } = world.services.limits
  for (const [rate, points, options] of [
    ['ANONYMOUS', 120, { headers }],
    ['IP', 600, { headers, as: dan }],
  ] as const) {
    // The window begins here, so that it does not end in between.
    await reset(rate, '127.0.0.1')
    await take(rate, '127.0.0.1', points)
    for (const ask of [world.api('/users/me', options), world.page('/login', options)]) {
      const { status, headers: answered } = await ask
      // It would be true after a wait in vain.
      expect([rate, status, answered.get('X-Log-Behind')]).toEqual([rate, 429, null])
    }
    await reset(rate, '127.0.0.1')
  }
  await letGo()
})
