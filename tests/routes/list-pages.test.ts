import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { PAGE_MAX } from '../../projections/paging.ts'
import { blocked, buzzed, joined, matched, memberId, minute } from '../support/people.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

/** Two whole pages and a third of one; some came in the same moment. */
const NAMES = Array.from({ length: 2 * PAGE_MAX + 1 }, (_, n) => `Nr${String(n).padStart(3, '0')}`)
const SLOW_MS = 240_000

let world: World
let people: Record<'matches' | 'liked' | 'liked-you' | 'blocks', Person>

beforeAll(async () => {
  world = await startWorld()
  const [ann, bob, cat, dan] = await Promise.all(['Ann', 'Bob', 'Cat', 'Dan'].map((name) => world.join(name)))
  people = { matches: ann!, liked: bob!, 'liked-you': cat!, blocks: dan! }
  const meet = async (name: string, n: number) => {
    const [one, at] = [memberId(name), minute(Math.floor(n / 3))]
    const [registered, started, ...pictures] = joined(name)
    await record(`member-${one}`, [registered!])
    await record(`profile-${one}`, [started!])
    await record(`gallery-${one}`, pictures)
    await record(`pair-${pairIdOf(ann!.id, one)}`, matched(ann!.id, one, at))
    await record(`pair-${pairIdOf(bob!.id, one)}`, [buzzed(bob!.id, one, at)])
    await record(`pair-${pairIdOf(cat!.id, one)}`, [buzzed(one, cat!.id, at)])
    await record(`pair-${pairIdOf(dan!.id, one)}`, [blocked(dan!.id, one, at)])
  }
  await Promise.all(NAMES.map(meet))
  await world.settled()
}, SLOW_MS)
afterAll(() => world?.stop())

/** As if it had happened; the stream begins with it. */
async function record(stream: string, events: readonly DomainEvent[]): Promise<void> {
  const { log, codec } = world.core
  const meta = { commandId: randomUUID(), correlationId: randomUUID(), causationId: randomUUID(), actor: 'system' }
  const ids = events.map(() => randomUUID())
  await log.append(stream, 'none', await codec.encode(stream, events, ids, meta))
}

const LISTS = {
  'Matches of a profile': ['matches', '/profile?show=matches'],
  'Liked of a profile': ['liked', '/profile?show=liked'],
  'Liked You of a profile': ['liked-you', '/profile?show=liked-you'],
  conversations: ['matches', '/chat'],
  'blocked members': ['blocks', '/profile/privacy'],
} as const

async function open(path: string, as: Person) {
  const answer = await world.page(path, { as })
  const html = await answer.text()
  const link = (text: string) =>
    new RegExp(`href="([^"]*)"[^>]*>(?:<[^>]*>)*${text}`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? null
  const body = html.slice(html.indexOf('<body'), html.indexOf('window.__remixContext'))
  const shown = [...new Set(body.match(/Nr\d{3}/g))].sort()
  return { status: answer.status, shown, more: link('Show more'), first: link('Back to the first') }
}

describe.each(Object.entries(LISTS))('%s', (_what, [whose, path]) => {
  test('are led through page by page, each member once, and back to the first', async () => {
    const as = people[whose]
    const first = await open(path, as)
    const middle = await open(first.more ?? '', as)
    const last = await open(middle.more ?? '', as)
    expect([first, middle, last].map(({ status, shown }) => [status, shown.length])).toEqual([
      [200, PAGE_MAX],
      [200, PAGE_MAX],
      [200, 1],
    ])
    expect([first.first, last.more]).toEqual([null, null])
    expect([...first.shown, ...middle.shown, ...last.shown].sort()).toEqual(NAMES)
    for (const later of [middle, last]) expect((await open(later.first ?? '', as)).shown).toEqual(first.shown)
  })

  test('begin at the start for a cursor that is none, and end for one past the end', async () => {
    const as = people[whose]
    const { shown } = await open(path, as)
    const at = (cursor: string) => `${path}${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(cursor)}`
    for (const broken of ['', 'x', '-1_', `1_${'A'.repeat(24)}`, "1_' or 1=1 --", '9'.repeat(40)]) {
      const answer = await open(at(broken), as)
      expect([broken, answer.status, answer.shown, answer.first]).toEqual([broken, 200, shown, null])
    }
    expect(await open(at(`0_${'0'.repeat(24)}`), as)).toMatchObject({ status: 200, shown: [], more: null })
  })
})
