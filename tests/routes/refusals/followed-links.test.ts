import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memberDecider } from '../../../domain/identity/member.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld()
  ;[ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world.stop())

const ELSEWHERE = ['cross-site', 'same-site']
const follow = (path: string, site: string) => world.page(path, { as: ann, headers: { 'Sec-Fetch-Site': site } })
const seen = ({ status, headers }: Response) => [status, headers.get('Location')]

test('a link on another site puts no words into the field of a room', async () => {
  const room = `/chat/${bea.id}`
  const words = `${room}?q=Be&say=Send%20me%20money`
  for (const site of ELSEWHERE) {
    expect(seen(await follow(words, site))).toEqual([302, `${room}?q=Be`])
    expect(seen(await follow(`${room}?q=Be`, site))).toEqual([200, null])
  }
  const pressed = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-User': '?1' }
  // So comes Back to a page that was typed, and every page of a browser that sends no Referer.
  expect(await (await world.page(words, { as: ann, headers: pressed })).text()).toContain('Send me money')
})

test('a link of a message to our own site puts no words into the field of a room', async () => {
  await world.sendMessage(ann, bea, `See ${world.url}/chat/${bea.id}?say=Send%20me%20money`)
  await world.settled()
  const page = await (await world.page(`/chat/${bea.id}`, { as: ann })).text()
  expect(page.match(/<a href="https?:[^"]*"/g)).toEqual([`<a href="${world.url}/chat/${bea.id}"`])
})

test('a link on another site has an auditor look at nobody', async () => {
  const command = { type: 'GrantRole', member: ann.id, role: 'auditor', by: 'admin:test', at: new Date() } as const
  await world.core.dispatch(memberDecider, command, { commandId: randomUUID(), actor: 'admin:test' })
  const looks = async () => (await world.core.log.read(`audit-${ann.id}`, 0)).length
  const pages = ['', '/state', '/rows'].map((part) => `/audit/${bea.id}${part}`)
  for (const site of ELSEWHERE) {
    for (const path of [...pages, `/audit?q=${bea.id}`]) expect(seen(await follow(path, site))).toEqual([302, '/audit'])
    expect(seen(await follow('/audit', site))).toEqual([200, null])
  }
  expect(await looks()).toBe(0)
  for (const path of pages) expect(seen(await follow(path, 'none'))).toEqual([200, null])
  expect(await looks()).toBe(pages.length)
})

const WAYS = ['/login', '/login/code', '/forgot-password', '/signup', '/register', '/auth/google']

test.each(WAYS)('a link on another site to %s leaves an address that asks for the page alone', async (path) => {
  const room = `/chat/${bea.id}`
  const asking = (page: string) => `${path}?${new URLSearchParams({ google: 'cancelled', redirectTo: page })}`
  for (const site of ELSEWHERE) {
    const ask = (page: string, who: { as?: Person }) =>
      world.page(asking(page), { ...who, headers: { 'Sec-Fetch-Site': site } })
    for (const who of [{}, { as: ann }]) {
      expect(seen(await ask(`${room}?say=Send%20me%20money`, who))).toEqual([302, asking(room)])
      expect((await ask(room, who)).headers.get('Location')).not.toBe(asking(room))
    }
  }
})
