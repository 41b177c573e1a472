import { expect, test } from 'vitest'
import { type Codec, UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { createEventReader } from '../../../projections/history/event-reader.ts'
import { type ReadEvent, RecentEvents } from '../../../projections/history/recent-events.ts'
import { differenceOf, stateAt } from '../../../projections/history/state.ts'
import { wrong } from '../../support/wrong.ts'
import { rowsOf } from './log-of.ts'

const NOBODY: ReadonlySet<string> = new Set()

/** A stream of so many events, of which some cannot be decoded; notes what is read and decoded. */
function rig(length: number, { broken = [] as number[] } = {}) {
  const reads: [number, number | undefined][] = []
  const listeners: ((subject: string) => void)[] = []
  let decoded = 0
  let beforeDecode = async () => undefined as unknown
  const log = {
    async *pages(stream: string, from = 0, _signal?: AbortSignal, limit?: number) {
      reads.push([from, limit])
      const all = Array.from({ length }, (_, revision) => ({ id: `${stream}@${revision}`, stream, revision, data: {} }))
      yield wrong<StoredEvent[]>(all.slice(from, limit === undefined ? undefined : from + limit))
    },
  }
  const codec: Pick<Codec, 'decode'> = {
    async decode(stored) {
      await beforeDecode()
      const unreadable = stored.find(({ revision }) => broken.includes(revision))
      if (unreadable) throw new UndecodableEvent(`${unreadable.id}: its seal is broken`)
      decoded += stored.length
      const facts = { type: 'BioChanged', bio: 'words', at: new Date(0), meta: {} }
      return wrong(stored.map((event) => ({ ...event, ...facts, member: 'a'.repeat(24) })))
    },
  }
  const keys = { onForget: (listener: (subject: string) => void) => void listeners.push(listener) }
  return {
    reader: createEventReader({ log, codec: codec as Codec, keys }),
    reads,
    decoded: () => decoded,
    forget() {
      for (const forget of listeners) forget('someone')
    },
    duringDecode: (work: () => Promise<unknown>) => {
      beforeDecode = work
    },
  }
}
/** All that comes, whatever the pages. */
async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(...page)
  return found
}

test('an event is read and decoded once while its stream is looked at', async () => {
  const { reader, reads, decoded } = rig(100)
  expect(await all(reader.ofRows([rowsOf('pair-a_b', [10, 11, 12])]))).toHaveLength(3)
  expect(await all(reader.ofRows([rowsOf('pair-a_b', [11, 12, 13])]))).toHaveLength(3)
  expect(reads).toEqual([
    [10, 3],
    [13, 1],
  ])
  expect(await all(reader.ofStream('pair-a_b', 5))).toHaveLength(5)
  expect(await all(reader.ofStream('pair-a_b'))).toHaveLength(100)
  expect(await all(reader.ofStream('pair-a_b', 50))).toHaveLength(50)
  expect(reads.slice(2)).toEqual([
    [0, 5],
    [5, undefined],
  ])
  expect(decoded()).toBe(4 + 5 + 95)
})

test('what lies far apart in a stream is not read along', async () => {
  const { reader, reads } = rig(2_000)
  expect(await all(reader.ofRows([rowsOf('audit-a', [1_900, 3, 10])]))).toHaveLength(3)
  expect(reads).toEqual([
    [3, 8],
    [1_900, 1],
  ])
})

test('nothing that was opened stays once a key is gone, also of what is being read at that moment', async () => {
  const { reader, reads, forget, duringDecode } = rig(3)
  await all(reader.ofStream('profile-a'))
  forget()
  duringDecode(async () => forget())
  await all(reader.ofStream('profile-a'))
  duringDecode(async () => undefined)
  await all(reader.ofStream('profile-a'))
  expect(reads).toHaveLength(3)
  expect(reads.every(([from]) => from === 0)).toBe(true)
})

test('what was read is forgotten after a minute, and the streams read longest ago when there is too much', () => {
  let now = 0
  const recent = new RecentEvents(20_000, () => now)
  const events = (count: number) =>
    Array.from({ length: count }, (_, revision) => ({
      id: `${revision}`,
      revision,
      weight: 1,
      event: wrong<ReadEvent['event']>({}),
    }))
  recent.keep('first', events(15_000))
  recent.keep('second', events(4_000))
  expect(recent.get('first').size).toBe(15_000)
  recent.keep('third', events(4_000))
  expect([recent.get('first').size, recent.get('second').size, recent.get('third').size]).toEqual([0, 4_000, 4_000])
  now = 59_999
  recent.keep('second', events(4_001))
  expect(recent.get('second').size).toBe(4_001)
  now = 60_000
  expect([recent.get('second').size, recent.get('third').size]).toEqual([0, 0])
})

test('an event that cannot be read costs its neighbours nothing, and a state ends before it and says so', async () => {
  const { reader } = rig(8, { broken: [5] })
  const events = await all(reader.ofStream('profile-a'))
  expect(events.map((event) => event instanceof UndecodableEvent)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((n) => n === 5))
  const why = 'profile-a@5: its seal is broken'
  const asked = { opened: NOBODY, erasedAt: new Map() }
  expect(await stateAt('profile-a', [events], { ...asked, moment: null })).toMatchObject({
    revision: 4,
    unreadable: why,
  })
  expect(await stateAt('profile-a', [events], { ...asked, moment: { revision: 4 } })).not.toHaveProperty('unreadable')
  const between = { ...asked, from: { revision: 0 }, to: { revision: 7 } }
  const { from, to } = await differenceOf('profile-a', [events], between)
  expect(from).not.toHaveProperty('unreadable')
  expect(to).toMatchObject({ revision: 4, unreadable: why })
})
