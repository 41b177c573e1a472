import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { PAGE_ROWS } from './matrix/page-rows.ts'

/** What a page may ask of Postgres, the session and the limits included. */
const AT_MOST = 6
const VISITS = 4
const OSLO = { lat: 59.91, lng: 10.75 }

let world: World
let me: Person
let match: Person
let stranger: Person
const query = vi.spyOn(pg.Client.prototype, 'query')

beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
  me = await world.member('Ann', { location: OSLO })
  match = await world.member('Bea', { location: OSLO })
  stranger = await world.member('Cat', { location: OSLO })
  const admirer = await world.member('Dan', { location: OSLO })
  await world.match(me, match)
  await world.buzz(admirer, me)
  await world.settled()
  await world.sendMessage(match, me, 'Hello')
  await world.settled()
})
afterAll(async () => {
  query.mockRestore()
  await world?.stop()
})

type Connection = { connectionParameters: { options?: string } }

/** Statements over the connections of requests: those of the engine and the log see no one schema. */
function statements(): string[] {
  return query.mock.contexts.flatMap((client, call) => {
    const { options } = (client as unknown as Connection).connectionParameters
    const asked: unknown = query.mock.calls[call]?.[0]
    const text = typeof asked === 'string' ? asked : (asked as { text: string }).text
    return options?.includes('search_path') ? [text] : []
  })
}

/** Of the visit with the fewest: now and then a timer of the process asks meanwhile, or a session's use is noted. */
async function asked(path: string, by: Parameters<World['page']>[1] = { as: me }): Promise<string[]> {
  let fewest: string[] | undefined
  for (let visit = 0; visit < VISITS; visit++) {
    query.mockClear()
    const answer = await world.page(path, by)
    await answer.text()
    expect([path, answer.status]).toEqual([path, 200])
    const sent = statements()
    if (!fewest || sent.length < fewest.length) fewest = sent
  }
  return fewest ?? []
}

const pages = PAGE_ROWS.filter(({ get }) => get.member === '200').flatMap(({ path, targets }) => [
  path,
  ...(targets?.default === '200' ? [path.replace(':id', ':stranger')] : []),
])
const MORE = [
  '/discover?ageMin=99&distanceMiles=1',
  '/profile?show=matches',
  '/profile?show=liked',
  '/profile?show=liked-you',
]

test.each([...new Set([...pages, ...MORE])])('%s asks Postgres a few times at most', async (path) => {
  const sent = await asked(path.replace(':id', match.id).replace(':stranger', stranger.id))
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(AT_MOST)
})

test('a page of a member asks who it is for', async () => {
  expect(await asked('/privacy')).toEqual([expect.stringMatching(/from "app"\."session"/)])
})

test('a picture, and a second look at it, asks one question of Postgres', async () => {
  const row = await world.core.storage.app
    .selectFrom('media')
    .select(['id', 'blurred_id'])
    .where('owner', '=', match.id)
    .where('original_id', 'is', null)
    .executeTakeFirstOrThrow()
  for (const path of [`/media/${row.id}?w=320`, `/media/${row.blurred_id}?w=320`])
    for (const by of [{ as: me }, { headers: { Authorization: `Bearer ${me.token}` } }])
      expect(await asked(path, by)).toEqual([expect.stringMatching(/"app"\."media"/)])
})
