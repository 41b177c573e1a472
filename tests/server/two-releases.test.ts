import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventType, RecordedEvent } from '../../domain/all-events.ts'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { type Codec, createCodec } from '../../eventstore/codec.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { conversations } from '../../projections/conversations/project.ts'
import { createProjector, type Projector } from '../../projections/engine/engine.ts'
import type { AnyTable, Change, Projection } from '../../projections/projection.ts'
import { LATER } from '../eventstore/later-release.ts'
import { compareWithTables, foldOfLog } from '../support/fold-of-log.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

const PATIENCE_MS = 30_000
type Handler = (event: RecordedEvent) => readonly Change[]

/** Conversations as a later release has them: a column more in each of its tables, and so a version of its own. */
function withMoods(): Projection {
  const tables = new Map<AnyTable, AnyTable>(
    conversations.tables.map((table) => [table, { ...table, columns: { ...table.columns, mood: 'text' } } as AnyTable]),
  )
  const handlerOf = (handler: Handler) => (event: RecordedEvent) =>
    handler(event).map((change): Change => {
      const table = tables.get(change.table)!
      if (!('key' in change)) return { ...change, table }
      const { mood = null } = event as { mood?: string | null }
      const fold = (row: object | undefined) => {
        const next = change.fold(row)
        return next && { ...next, mood }
      }
      return { ...change, table, fold }
    })
  const when = Object.entries(conversations.when).map(([type, handler]) => [
    type as EventType,
    handlerOf(handler as Handler),
  ])
  const { version } = conversations
  return { ...conversations, version: version + 1, tables: [...tables.values()], when: Object.fromEntries(when) }
}
const newer = allProjections.map((one) => (one === conversations ? withMoods() : one))

/** Of the older release, with every role. */
let world: World
let people: [Person, Person, Person, Person]
let later: Codec
let projector: Projector
beforeAll(async () => {
  world = await startWorld()
  people = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat'), await world.member('Dan')]
  const [ann, bea, cat, dan] = people
  await world.match(ann, bea)
  await world.match(cat, dan)
  for (const text of ['one', 'two']) await world.sendMessage(ann, bea, text)
  await world.settled()
  const { log, feed, keys, storage } = world.core
  later = createCodec(keys, LATER)
  const deps = { log, feed, codec: later, keys, pool: storage.pool, projections: newer }
  projector = createProjector({ ...deps, now: () => new Date(), report: () => undefined })
})
afterAll(async () => {
  await projector.stop()
  await world.stop()
})

const write = (by: Person, to: Person, text: string) =>
  world.api(`/chat/${to.id}/messages`, { method: 'POST', as: by, body: JSON.stringify({ id: randomUUID(), text }) })
const shown = async (by: Person, to: Person): Promise<string[]> => {
  const answer = await world.api(`/chat/${to.id}/messages`, { as: by })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { messages: { text: string }[] }).messages.map(({ text }) => text)
}

/** What the older node answers: each page and call of two who only it wrote of, and of two who a later release wrote of. */
async function everything(words: string): Promise<[string, Response][]> {
  const [ann, bea, cat, dan] = people
  const body = JSON.stringify({ bio: words })
  const form = new URLSearchParams({ intent: 'send', id: randomUUID(), text: words })
  const asked: [string, Promise<Response>][] = [
    ['their words', write(cat, dan, words)],
    ['their form', world.page(`/chat/${cat.id}`, { method: 'POST', as: dan, body: form })],
    ['a bio', world.api('/users/me', { method: 'PUT', as: ann, body })],
    ['other words', write(bea, ann, words)],
  ]
  for (const page of ['/discover', '/chat', '/notifications', '/profile', `/chat/${bea.id}`])
    asked.push([page, world.page(page, { as: ann })])
  for (const call of ['/users/me', `/chat/${ann.id}/messages`, '/chat/unread'])
    asked.push([call, world.api(call, { as: bea })])
  return Promise.all(asked.map(async ([name, answer]) => [name, await answer]))
}
const failed = (answers: [string, Response][]) =>
  answers.filter(([, { status }]) => status >= 400).map(([name, { status }]) => `${name} ${status}`)

async function appendWithMood(by: Person, to: Person, text: string): Promise<void> {
  const stream = `pair-${pairIdOf(by.id, to.id)}`
  const stored = await world.core.log.read(stream)
  const number = stored.filter(({ type }) => type === 'MessageSent').length + 1
  const event = { type: 'MessageSent', message: randomUUID(), number, from: by.id, to: to.id, text, media: null }
  const meta = { commandId: randomUUID(), correlationId: 'c', causationId: 'c', actor: by.id }
  const encoded = await later.encode(
    stream,
    [{ ...event, at: new Date(), mood: 'merry' } as never],
    [randomUUID()],
    meta,
  )
  await world.core.log.append(stream, stored.length - 1, encoded)
}
async function wrongRows(): Promise<unknown> {
  const head = await world.core.log.head()
  expect(await projector.waitFor(head, undefined, PATIENCE_MS)).toBe(true)
  return compareWithTables(world.core.storage.pool, newer, await foldOfLog(world.core.log, later, newer))
}

test('while the later release fills and swaps its tables, an older node answers every page and call', async () => {
  const [, , cat, dan] = people
  const starting = projector.start()
  const isNewer = () =>
    projector.status().every(({ state, version }) => state !== 'filling' && state !== 'starting' && version)
  const sent: string[] = []
  for (let round = 0; round < 3 || !isNewer(); round++) {
    sent.push(`round ${round}`, `round ${round}`)
    expect(failed(await everything(`round ${round}`))).toEqual([])
  }
  await starting
  await world.settled()
  expect(await shown(dan, cat)).toEqual(sent.reverse())
  expect(await wrongRows()).toEqual([])
})

test('of what the later release wrote an older node shows the rows, and answers 503 to who writes after it', async () => {
  const [ann, bea, cat, dan] = people
  await appendWithMood(ann, bea, 'in a merry mood')
  expect(await wrongRows()).toEqual([])
  for (const words of ['after it', 'and again']) {
    const answers = await everything(words)
    expect(failed(answers)).toEqual(['other words 503'])
    expect(answers.find(([name]) => name === 'other words')![1].headers.get('Retry-After')).toBe('5')
  }
  expect(await wrongRows()).toEqual([])
  expect(await shown(bea, ann)).toContain('in a merry mood')
  expect((await shown(dan, cat)).slice(0, 4)).toEqual(['and again', 'and again', 'after it', 'after it'])
  const { rows } = await world.core.storage.pool.query("select text from read.message where mood = 'merry'")
  expect(rows).toEqual([{ text: 'in a merry mood' }])
  expect((await fetch(new URL('/readyz', world.publicUrl))).status).toBe(503)
  expect((await world.core.storage.pool.query('select * from app.quarantine')).rows).toEqual([])
})
