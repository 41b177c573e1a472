import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamedText } from '../../../app/request/streamed-text.server.ts'
import { createHistoryReader, type HistoryReader, linesOf } from '../../../projections/history/reader.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { Alive, aliveAtMost } from './log-of.ts'

const NOBODY: ReadonlySet<string> = new Set()
const MESSAGES = 60
let world: World
let ann: Person
let ben: Person
let pair: string

beforeAll(async () => {
  world = await startWorld({ web: false })
  ;[ann, ben] = [await world.member('Ann'), await world.member('Ben')]
  await world.match(ann, ben)
  await world.settled()
  for (let n = 0; n < MESSAGES; n++) await world.sendMessage(n % 3 ? ann : ben, n % 3 ? ben : ann, `Number ${n}`)
  await world.settled()
  pair = `pair-${[ann.id, ben.id].sort().join('_')}`
}, 120_000)
afterAll(() => world.stop())

/** A reader that has ten events of a history at once, and how many are decoded and in use. */
function smallReader() {
  const alive = new Alive()
  const { log, codec, keys, storage } = world.core
  const counting = {
    ...codec,
    decode: async (...asked: Parameters<typeof codec.decode>) => {
      alive.add(asked[0].length)
      return codec.decode(...asked)
    },
  }
  const deps = { log, codec: counting, keys, read: storage.read, pool: storage.pool }
  return { history: createHistoryReader(deps, { page: 10, pageWeight: 4_000, kept: 0, rows: 1e6 }), alive }
}

async function textOf(history: HistoryReader, members: readonly Person[], filter = {}): Promise<string> {
  let text = ''
  for await (const lines of linesOf(
    await history.whole(
      members.map(({ id }) => id),
      filter,
      NOBODY,
    ),
  ))
    text += lines
  return text
}

test('a history is exported a page at a time, the same bytes as all at once', async () => {
  const { history, alive } = smallReader()
  const whole = await history.whole([ann.id], {}, NOBODY)
  let text = ''
  for await (const lines of linesOf({ pages: aliveAtMost(whole.pages, alive) })) text += lines
  expect(text.trimEnd().split('\n')).toHaveLength(whole.events)
  expect(whole.events).toBeGreaterThan(MESSAGES)
  expect(text).toBe(await textOf(world.core.history, [ann]))
  expect(alive.most).toBeLessThanOrEqual(10)
})

test('what two members share is in it once, in the order of the log', async () => {
  const { history } = smallReader()
  const both = await history.whole([ann.id, ben.id], {}, NOBODY)
  const lines = (await textOf(history, [ann, ben])).trimEnd().split('\n')
  const positions = lines.map((line) => JSON.parse(line).position as string)
  expect(positions).toEqual([...new Set(positions)].sort())
  expect(both.events).toBe(positions.length)
  expect(await textOf(history, [ann, ben], { stream: pair })).toBe(await textOf(history, [ann], { stream: pair }))
})

test('what happens while it is taken is not in it: it has as many events as were recorded', async () => {
  const { history } = smallReader()
  const whole = await history.whole([ann.id], {}, NOBODY)
  await world.sendMessage(ann, ben, 'One more')
  await world.settled()
  let events = 0
  for await (const page of whole.pages) events += page.length
  expect(events).toBe(whole.events)
})

test('nothing is read before it is taken, and nothing more once the visitor has left', async () => {
  const { history, alive } = smallReader()
  const body = streamedText(linesOf(await history.whole([ann.id], {}, NOBODY))).getReader()
  expect(alive.release()).toBe(0)
  const { value } = await body.read()
  const first = alive.release()
  expect(new TextDecoder().decode(value).trimEnd().split('\n')).toHaveLength(first)
  expect(first).toBeLessThanOrEqual(10)
  await body.cancel()
  expect(alive.release()).toBe(0)
  expect(await body.read()).toEqual({ done: true, value: undefined })
})
