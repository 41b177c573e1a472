import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { pages } from '../../eventstore/embedded/protocol/pages.ts'
import type { StoredEvent } from '../../eventstore/embedded/records.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import type { Page } from '../../eventstore/embedded/storage/storage.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { REAL_LOG } from './log-target.ts'

const EVENTS = 5_000
const NOTHING = Buffer.alloc(0)

const eventAt = (position: number): StoredEvent => ({
  position,
  stream: 'long',
  revision: position,
  id: '',
  type: 'Noted',
  json: true,
  created: 0,
  data: NOTHING,
  metadata: NOTHING,
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

const PAGE_BYTES = 512 * 1024

describe.skipIf(REAL_LOG)('a page of the storage', () => {
  test.each([
    ['small', 200, 0, 256],
    ['large', 100_000, 0, 6],
    ['larger than a page', 900_000, 0, 1],
    ['large in its metadata', 10, 300_000, 2],
  ])('of %s events holds few enough of them, either way, and ends at the last', async (_name, data, metadata, most) => {
    const database = await freshDatabase()
    const storage = new PostgresStorage({ database: database.config, logLine: () => {}, lockWaitMs: 1_000 })
    await storage.open()
    const count = 12
    const events = Array.from({ length: count }, (_, index) => ({
      ...eventAt(index + 1),
      id: randomUUID(),
      revision: index,
      data: Buffer.alloc(data),
      metadata: Buffer.alloc(metadata),
    }))
    await storage.commit(events)
    const sources: ((from: number, backwards: boolean) => Promise<Page>)[] = [
      (from, backwards) => storage.readAll({ from: from + 1, backwards, limit: 256 }),
      (from, backwards) => storage.readStream('long', { from, backwards, limit: 256 }),
    ]
    for (const read of sources) {
      for (const backwards of [false, true]) {
        const seen: number[] = []
        for (let [from, more] = [backwards ? count - 1 : 0, true]; more; ) {
          const page = await read(from, backwards)
          const bytes = page.events.reduce((sum, event) => sum + event.data.length + event.metadata.length, 0)
          expect(page.events.length).toBeLessThanOrEqual(most)
          // The event that fills the page is in it.
          expect(bytes).toBeLessThan(PAGE_BYTES + data + metadata)
          seen.push(...page.events.map(({ revision }) => revision))
          from = seen.at(-1)! + (backwards ? -1 : 1)
          more = page.more && from >= 0
        }
        const all = Array.from({ length: count }, (_, index) => index)
        expect(seen).toEqual(backwards ? all.toReversed() : all)
      }
    }
    await storage.close()
    await database.drop()
  })
})
