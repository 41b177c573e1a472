import { randomUUID } from 'node:crypto'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EventLog } from '../../eventstore/embedded/event-log.ts'
import { subscribeToStream } from '../../eventstore/embedded/protocol/subscribe-stream.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.ts'
import { logTemplate } from '../support/log.ts'
import { until } from '../support/until.ts'
import { identifierOf } from './raw-append.ts'
import { slowReader } from './slow-reader.ts'

const FOLLOWERS = 20
const APPENDS = 30
const NOTHING = Buffer.alloc(0)

describe('followers of single streams', () => {
  let database: FreshDatabase
  let log: EventLog
  const leaving: (() => Promise<void>)[] = []
  beforeEach(async () => {
    database = await freshDatabase({ template: logTemplate })
    const storage = new PostgresStorage({ database: database.config, logLine: () => {}, lockWaitMs: 1_000 })
    log = new EventLog(storage, () => {})
    await log.open()
  })
  afterEach(async () => {
    for (const leave of leaving.splice(0)) await leave()
    await log.stopWriting(1_000)
    await log.close()
    await database.drop()
  })

  const append = (stream: string, ...types: string[]) =>
    log.write({
      kind: 'append',
      stream,
      expected: 'any',
      deadline: Number.POSITIVE_INFINITY,
      events: types.map((type) => ({ id: randomUUID(), type, json: true, data: NOTHING, metadata: NOTHING })),
    })

  /** A reader who follows a stream from its start, with types instead of frames, and has caught up. */
  async function follow(stream: string, caughtUp = true) {
    const reader = slowReader()
    const options = new ReadReq.Options.StreamOptions()
      .setStreamIdentifier(identifierOf(stream))
      .setStart(new shared.Empty())
    const frame = ({ type }: { type: string }) => Buffer.from(type)
    const following = subscribeToStream({ log, outlet: reader.outlet, frame, filter: undefined }, options)
    following.catch(() => {})
    leaving.push(async () => {
      reader.resume()
      reader.leave()
      await following.catch(() => {})
    })
    if (caughtUp) await until('it has caught up', () => reader.seen.includes('caught up'))
    return reader
  }
  const seenBy = ({ seen }: ReturnType<typeof slowReader>) => seen.slice(1)

  test('are not woken by what is written to other streams', async () => {
    const readers = await Promise.all(Array.from({ length: FOLLOWERS }, (_, index) => follow(`followed-${index}`)))
    await until('all wait', () => readers.every(({ waits }) => waits() === 1))
    for (let round = 0; round < APPENDS; round++) await append('other', 'Elsewhere')
    await append('followed-0', 'Own')
    await until('the one has it', () => readers[0]!.seen.includes('Own'))
    await until('the one waits again', () => readers[0]!.waits() === 2)
    expect(readers.slice(1).map(({ waits }) => waits())).toEqual(Array.from({ length: FOLLOWERS - 1 }, () => 1))
  })

  test('each get their own events among those of others, in order and once', async () => {
    await append('b', 'B0', 'B1')
    const [a, b, second] = await Promise.all([follow('a'), follow('b'), follow('b')])
    for (let round = 0; round < 50; round++) {
      await Promise.all([append('a', `a${round}`, 'a+'), append('b', `b${round}`), append('c', 'c')])
    }
    await until('all have all', () => a.seen.length === 102 && b.seen.length === 54 && second.seen.length === 54)
    const rounds = Array.from({ length: 50 }, (_, round) => round)
    expect(seenBy(a)).toEqual(['caught up', ...rounds.flatMap((round) => [`a${round}`, 'a+'])])
    expect(seenBy(b)).toEqual(['B0', 'B1', 'caught up', ...rounds.map((round) => `b${round}`)])
    expect(second.seen.slice(1)).toEqual(b.seen.slice(1))
  })

  test('that memory no longer reaches back to fall behind, get everything from the storage and catch up', async () => {
    const reader = await follow('a')
    reader.pause()
    await append('a', 'A')
    await until('it stands at A', () => reader.seen.includes('A'))
    await append('a', 'B', 'C')
    log.tail.restart(log.tail.last)
    await append('a', 'D')
    reader.resume()
    await until('it is live again', () => reader.seen.filter((entry) => entry === 'caught up').length === 2)
    await append('a', 'E')
    await until('it has the last', () => reader.seen.includes('E'))
    expect(seenBy(reader)).toEqual(['caught up', 'A', 'fell behind', 'B', 'C', 'D', 'caught up', 'E'])
  })

  test('are not behind when the writer comes back and nothing of theirs was written', async () => {
    const reader = await follow('a')
    await append('other', 'Elsewhere')
    log.tail.restart(log.tail.last)
    await until('it has looked and waits again', () => reader.waits() === 2)
    await append('a', 'A')
    await until('it is live', () => reader.seen.includes('A'))
    expect(seenBy(reader)).toEqual(['caught up', 'A'])
  })

  test('miss nothing that is written while they catch up', async () => {
    await append('a', ...Array.from({ length: 600 }, (_, index) => `${index}`))
    const reader = await follow('a', false)
    await until('it has begun', () => reader.seen.length > 2)
    reader.pause()
    for (let round = 600; round < 620; round++) await append('a', `${round}`)
    reader.resume()
    await append('a', 'Last')
    await until('it has all', () => reader.seen.includes('Last'))
    const types = reader.seen.slice(1).filter((entry) => entry !== 'caught up')
    expect(types).toEqual([...Array.from({ length: 620 }, (_, index) => `${index}`), 'Last'])
  })

  test('leave nothing behind when they go', async () => {
    await follow('a')
    expect(log.tail.followedStreams).toBe(1)
    for (const leave of leaving.splice(0)) await leave()
    expect(log.tail.followedStreams).toBe(0)
  })
})
