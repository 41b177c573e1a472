import { expect, test } from 'vitest'
import { differenceOf, stateAt } from '../../../projections/history/state.ts'
import { aliveAtMost, logOf, rowsOf } from './log-of.ts'

const PAGES = { page: 10, pageWeight: 20_000, kept: 0, rows: 1e6 }
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

/** The revisions that came, a list for each page. */
async function pagesIn<P>(pages: AsyncIterable<readonly P[]>, revisionOf: (one: P) => number): Promise<number[][]> {
  const all: number[][] = []
  for await (const page of pages) all.push(page.map(revisionOf))
  return all
}

test('a stream of any length is decoded a page at a time, the next one when it is asked for', async () => {
  const { reader, alive } = logOf({ 'pair-a_b': range(1_000).map(() => 100) }, PAGES)
  const seen: number[] = []
  for await (const page of reader.ofStream('pair-a_b')) {
    seen.push(page.length)
    expect(alive.release()).toBeLessThanOrEqual(10)
  }
  expect(seen).toEqual(range(100).map(() => 10))
  expect(alive.most).toBe(10)
})

test('rows of many streams come in their order, a page at a time', async () => {
  const streams = Object.fromEntries(range(40).map((n) => [`pair-a_${n}`, range(5).map(() => 100)]))
  const { reader, alive } = logOf(streams, PAGES)
  const rows = range(5).flatMap((revision) => Object.keys(streams).flatMap((stream) => rowsOf(stream, [revision])))
  const ids: string[] = []
  for await (const page of reader.ofRows([rows.slice(0, 90), rows.slice(90)])) {
    ids.push(...page.map(({ row, event }) => `${row.id} ${event && 'id' in event && event.id}`))
    alive.release()
  }
  expect(ids).toEqual(rows.map(({ id }) => `${id} ${id}`))
  expect(alive.most).toBe(10)
})

test('fewer come at once where they are large, and no more of the log is read than a page has room for', async () => {
  const { reader, alive, read } = logOf({ 'report-a_b': [100, ...range(40).map(() => 15_000), 100, 100] }, PAGES)
  for (const revisions of [range(43), range(43).reverse()]) {
    alive.most = 0
    const came = await pagesIn(
      aliveAtMost(reader.ofRows([rowsOf('report-a_b', revisions)]), alive),
      ({ row }) => row.revision,
    )
    expect(came.flat()).toEqual(revisions)
    expect(alive.most).toBeLessThanOrEqual(3)
  }
  // Each page of the log has an event more than there is room for, at most.
  expect(read.most).toBeLessThanOrEqual(3 * 15_000)
})

test('who leaves in the middle has nothing more read', async () => {
  const { reader, read } = logOf({ 'pair-a_b': range(1_000).map(() => 100) }, PAGES)
  for await (const _page of reader.ofStream('pair-a_b')) break
  for await (const _page of reader.ofRows([rowsOf('pair-a_b', range(1_000))])) break
  expect(read.pages).toBe(2)
})

test('what is kept for the next look is bounded by its weight', async () => {
  const weights = range(30).map(() => 1_000)
  const { reader, alive, read } = logOf({ light: range(30).map(() => 1), heavy: weights }, { ...PAGES, kept: 20_000 })
  const all = (stream: string) => pagesIn(aliveAtMost(reader.ofStream(stream), alive), () => 0)
  const readFor = async (stream: string) => {
    const before = read.pages
    await all(stream)
    return read.pages - before
  }
  expect([await readFor('light'), await readFor('light')]).toEqual([1, 0])
  // All of it weighs more than is kept, and takes the place of what was kept before it.
  expect([await readFor('heavy'), await readFor('heavy'), await readFor('light')]).toEqual([2, 2, 1])
})

test('a state and a difference are folded page by page, no further than they are asked for', async () => {
  const { reader, alive, read } = logOf({ 'profile-a': range(1_000).map(() => 1_000) }, PAGES)
  const asked = { opened: new Set<string>(), erasedAt: new Map() }
  const pages = () => aliveAtMost(reader.ofStream('profile-a'), alive)
  expect((await stateAt('profile-a', pages(), { ...asked, moment: null })).revision).toBe(999)
  const between = { ...asked, from: { revision: 15 }, to: { revision: 500 } }
  const { from, to } = await differenceOf('profile-a', pages(), between)
  expect([from.revision, to.revision]).toEqual([15, 500])
  expect(alive.most).toBe(10)
  const before = read.pages
  await stateAt('profile-a', pages(), { ...asked, moment: { revision: 15 } })
  expect(read.pages - before).toBe(1)
})
