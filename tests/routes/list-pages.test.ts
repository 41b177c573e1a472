import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { PAGE_MAX } from '../../projections/paging.ts'
import { getSocialStats } from '../../projections/relations/queries.ts'
import { blocked, buzzed, matched, minute } from '../support/people.ts'
import { addCrowd } from '../support/templates/crowd.ts'
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
  await addCrowd(world, NAMES, (one, n) => {
    const at = minute(Math.floor(n / 3))
    return [
      [`pair-${pairIdOf(ann!.id, one)}`, matched(ann!.id, one, at)],
      [`pair-${pairIdOf(bob!.id, one)}`, [buzzed(bob!.id, one, at)]],
      [`pair-${pairIdOf(cat!.id, one)}`, [buzzed(one, cat!.id, at)]],
      [`pair-${pairIdOf(dan!.id, one)}`, [blocked(dan!.id, one, at)]],
    ]
  })
}, SLOW_MS)
afterAll(() => world?.stop())

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

  test('begin at the start for a cursor that is none, and again for one past the end', async () => {
    const as = people[whose]
    const { shown } = await open(path, as)
    const at = (cursor: string) => `${path}${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(cursor)}`
    for (const broken of ['', 'x', '-1_', `1_${'A'.repeat(24)}`, "1_' or 1=1 --", '9'.repeat(40)]) {
      const answer = await open(at(broken), as)
      expect([broken, answer.status, answer.shown, answer.first]).toEqual([broken, 200, shown, null])
    }
    const past = await world.page(at(`0_${'0'.repeat(24)}`), { as })
    const anchor = whose === 'blocks' ? '#blocked' : ''
    expect([past.status, past.headers.get('Location')]).toEqual([302, path + anchor])
  })
})

/** Calls take a limit and an offset instead (api-contract §6.0). */
describe.each([
  ['/matches', 'matches', 'matches'],
  ['/social/matches', 'matches', 'matches'],
  ['/social/liked', 'liked', 'users'],
  ['/social/likedYou', 'liked-you', 'users'],
  ['/blocks', 'blocks', 'blocks'],
] as const)('the call %s', (path, whose, key) => {
  const call = async (query: string) => {
    const answer = await world.api(path + query, { as: people[whose] })
    const json = await answer.json()
    const names = (json[key] as { firstName: string }[] | undefined)?.map(({ firstName }) => firstName)
    return { status: answer.status, names, json }
  }
  test('answers part by part, each member once, and at most fifty at a time', async () => {
    const parts = await Promise.all(['', '?offset=50', '?limit=50&offset=100'].map(call))
    expect(parts.map(({ names }) => names?.length)).toEqual([PAGE_MAX, PAGE_MAX, 1])
    expect(parts.flatMap(({ names }) => names ?? []).sort()).toEqual(NAMES)
    expect((await call('?limit=2&offset=49')).names).toEqual([parts[0]?.names?.[49], parts[1]?.names?.[0]])
  })
  test('is empty beyond its end and beyond the furthest offset, and refuses what is no limit or offset', async () => {
    for (const query of ['?offset=101', '?offset=1000', '?offset=1001', '?offset=99999'])
      expect([query, await call(query)]).toMatchObject([query, { status: 200, names: [] }])
    for (const query of ['?limit=0', '?limit=51', '?limit=x', '?limit=1.5', '?offset=-1', '?offset=1.5', '?offset='])
      expect([query, await call(query)]).toMatchObject([query, { status: 400, json: { error: 'Invalid request.' } }])
  })
})

test('the counts of the lists are of all their members', async () => {
  const counts = await Promise.all(
    (['matches', 'liked', 'liked-you'] as const).map((whose) => getSocialStats(world.read, people[whose].id)),
  )
  expect(counts.map(({ matchCount, likedCount, likedYouCount }) => matchCount + likedCount + likedYouCount)).toEqual(
    counts.map(() => NAMES.length),
  )
})
