import { expect, test } from 'vitest'
import { pages } from '../../eventstore/embedded/protocol/pages.ts'
import type { StoredEvent } from '../../eventstore/embedded/records.ts'

const EVENTS = 5_000
const NOTHING = Buffer.alloc(0)

const eventAt = (position: number): StoredEvent => ({
  ...{ position, stream: 'long', revision: position, id: '', type: 'Noted', json: true, created: 0 },
  ...{ data: NOTHING, metadata: NOTHING },
})

/** A log of numbered events that counts how many were asked for. */
function countedLog() {
  const log = { fetched: 0, fetch }
  async function fetch(from: number, limit: number) {
    const count = Math.max(0, Math.min(limit, EVENTS - from))
    log.fetched += count
    return { events: Array.from({ length: count }, (_, index) => eventAt(from + index)), more: from + count < EVENTS }
  }
  return log
}

const forwards = { from: 0, backwards: false, most: Number.POSITIVE_INFINITY, key: 'position' } as const

test('a reader that is slow holds two pages and no more', async () => {
  const log = countedLog()
  const reading = pages(log.fetch, forwards)
  const first = await reading.next()
  await new Promise((resolve) => setImmediate(resolve))
  expect(log.fetched).toBe(2 * (first.value as StoredEvent[]).length)
  await reading.return(undefined)
})

test('pages hand over every event once, in order, up to the number asked for', async () => {
  const positions = async (most: number) => {
    const seen: number[] = []
    for await (const page of pages(countedLog().fetch, { ...forwards, most })) {
      seen.push(...page.map(({ position }) => position))
    }
    return seen
  }
  expect(await positions(Number.POSITIVE_INFINITY)).toEqual(Array.from({ length: EVENTS }, (_, index) => index))
  expect(await positions(300)).toEqual(Array.from({ length: 300 }, (_, index) => index))
})

test('a page that cannot be fetched reaches a reader who is still there, and troubles nobody else', async () => {
  const failing = () => Promise.reject(new Error('Postgres is away'))
  await expect(pages(failing, forwards).next()).rejects.toThrow('Postgres is away')
})
