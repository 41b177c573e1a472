import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import { isFull } from '../../eventstore/log-pages.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.stop())

const AT_ONCE = 500
async function append(stream: string, count: number, type = 'Noted') {
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => ({ n: from + n }))
    const events = some.map((data) => ({ id: randomUUID(), type, data, metadata: {} }))
    await rig.log.append(stream, from === 0 ? 'no_stream' : from - 1, events)
  }
}
const numbers = async (from?: number, limit?: number) =>
  (await rig.log.read('long-one', from, undefined, limit)).map(({ data }) => data.n)
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

test('a stream of any length is read whole, from anywhere, and no further than asked', async () => {
  await append('long-one', 2_003)
  expect(await numbers()).toEqual(range(0, 2_003))
  // As many as a page has.
  expect(await numbers(3)).toEqual(range(3, 2_003))
  expect(await numbers(1, 2_001)).toEqual(range(1, 2_002))
  expect(await numbers(3, 2)).toEqual([3, 4])
  expect(await numbers(2_003)).toEqual([])
})

test('the head is the last event that is not the log’s own, however many of those follow it', async () => {
  await append('long-two', 1)
  const head = await rig.log.head()
  expect(head).not.toBe(START)
  await append('$statistics', 603, '$noted')
  expect(await rig.log.head()).toBe(head)
  expect(await rig.log.end()).not.toBe(head)
})

test('a realtime node that asks for some events of a stream gets no more', async () => {
  await append('asked', 5)
  const source = createLogSource(rig.log)
  expect((await source.read('asked', 1, 2)).map(({ revision }) => revision)).toEqual([1, 2])
})

test('pages end at a weight, so that events of any size are read within the time of an answer', async () => {
  const before = await rig.log.head()
  const events = range(0, 15).map((n) => ({
    id: randomUUID(),
    type: 'Noted',
    data: { n, kept: { words: 'w'.repeat(900_000) } },
    metadata: {},
  }))
  for (const [n, event] of events.entries()) await rig.log.append('heavy', n === 0 ? 'no_stream' : n - 1, [event])
  expect((await rig.log.read('heavy')).map(({ data }) => data.n)).toEqual(range(0, 15))
  const pages: number[] = []
  for (let from = before; ; ) {
    const page = await rig.log.readAll(from, 500)
    if (page.length === 0) break
    pages.push(page.length)
    expect(isFull(page, 500)).toBe(pages.reduce((sum, length) => sum + length) < 15)
    from = page[page.length - 1]!.position
  }
  expect(pages).toEqual([10, 5])
  expect((await rig.log.earlierPosition(14, new Date(Date.now() + 60_000))) > before).toBe(true)
})
