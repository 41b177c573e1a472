import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bounds } from '../../../projections/history/event-reader.ts'
import { createHistoryReader } from '../../../projections/history/reader.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { Alive } from './log-of.ts'

const NOBODY: ReadonlySet<string> = new Set()
const MESSAGES = 60
const LONG = 400
const BOUNDS: Bounds = { page: 10, pageWeight: 8_000, kept: 0, rows: 1e6 }
let world: World
let ann: Person

beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann')
  const ben = await world.member('Ben')
  await world.match(ann, ben)
  await world.settled()
  for (let n = 0; n < MESSAGES; n++)
    await world.sendMessage(n % 2 ? ann : ben, n % 2 ? ben : ann, `${n}`.padEnd(LONG, 'w'))
  await world.settled()
}, 120_000)
afterAll(() => world.stop())

/** A reader with these bounds, and how many events it has had decoded between two questions to the log. */
function readerWith(bounds: Partial<Bounds>) {
  const alive = new Alive()
  const { log, codec, keys, storage } = world.core
  let messages = 0
  const counting = {
    ...codec,
    decode: async (...asked: Parameters<typeof codec.decode>) => {
      alive.add(asked[0].length)
      messages += asked[0].filter(({ type }) => type === 'MessageSent').length
      return codec.decode(...asked)
    },
  }
  const releasing = {
    pages: (...asked: Parameters<typeof log.pages>) => {
      alive.release()
      return log.pages(...asked)
    },
  }
  const deps = { log: releasing, codec: counting, keys, read: storage.read, pool: storage.pool }
  return { history: createHistoryReader(deps, { ...BOUNDS, ...bounds }), alive, messages: () => messages }
}
const verdicts = (models: readonly { name: string; verdict: string }[]) =>
  Object.fromEntries(models.map(({ name, verdict }) => [name, verdict]))

test('read models are compared page by page, and show the same as from all at once', async () => {
  const { history, alive } = readerWith({})
  const asked = { model: 'conversations', skip: 0, limit: 20 }
  const compared = await history.compare(ann.id, new Set([ann.id]), asked)
  expect(new Set(compared.models.map(({ verdict }) => verdict))).toEqual(new Set(['equal']))
  expect(compared).toEqual(await world.core.history.compare(ann.id, new Set([ann.id]), asked))
  expect(compared.rows).toHaveLength(20)
  expect(alive.most).toBeLessThanOrEqual(10)
})

test('a model whose rows as the log makes them weigh too much is left out, and the others are compared', async () => {
  // Half of the messages are Ann's own: all of them weigh more than this, and hers do not.
  const { history, messages } = readerWith({ rows: 1.5 * MESSAGES * LONG })
  const { models, rows } = await history.compare(ann.id, NOBODY, { model: 'conversations', skip: 0, limit: 20 })
  const { conversations, ...others } = verdicts(models)
  expect(conversations).toBe('too-large')
  expect(new Set(Object.values(others))).toEqual(new Set(['equal']))
  expect(rows).toBeNull()
  // Hers are within it, and what is left out later is read no further.
  expect(messages()).toBeGreaterThan(MESSAGES / 2)
  expect(messages()).toBeLessThan(MESSAGES)
})

test('a model whose rows as readers see them weigh too much is left out, and nothing of it is read in the log', async () => {
  const { history, messages } = readerWith({ rows: (MESSAGES * LONG) / 4 })
  const { models } = await history.compare(ann.id, NOBODY)
  const { conversations, ...others } = verdicts(models)
  expect(conversations).toBe('too-large')
  expect(new Set(Object.values(others))).toEqual(new Set(['equal']))
  expect(messages()).toBe(0)
})

test('events alone are no weight: what a model does not keep of them counts for nothing', async () => {
  for (let n = 0; n < 30; n++) await world.edit(ann, { bio: `${n}`.padEnd(300, 'w') })
  await world.settled()
  const { history } = readerWith({ rows: 8_000 })
  expect(verdicts((await history.compare(ann.id, NOBODY)).models).profiles).toBe('equal')
})
