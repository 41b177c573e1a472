import { randomUUID } from 'node:crypto'
import { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EventLog } from '../../eventstore/embedded/event-log.ts'
import { subscribeToAll } from '../../eventstore/embedded/protocol/subscribe.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.ts'
import { until } from '../support/until.ts'
import { slowReader } from './slow-reader.ts'

const NOTHING = Buffer.alloc(0)

describe('a follower of the whole log', () => {
  let database: FreshDatabase
  let log: EventLog
  beforeEach(async () => {
    database = await freshDatabase()
    log = new EventLog(
      new PostgresStorage({ database: database.config, logLine: () => {}, lockWaitMs: 1_000 }),
      () => {},
    )
    await log.open()
  })
  afterEach(async () => {
    await log.stopWriting(1_000)
    await log.close()
    await database.drop()
  })

  const append = (type: string) =>
    log.write({
      kind: 'append',
      stream: 'followed',
      expected: 'any',
      deadline: Number.POSITIVE_INFINITY,
      events: [{ id: randomUUID(), type, json: true, data: NOTHING, metadata: NOTHING }],
    })

  /** Follows from the start, with types instead of frames; the confirmation is left out. */
  async function follow(reader: ReturnType<typeof slowReader>) {
    const options = new ReadReq.Options.AllOptions().setStart(undefined)
    const frame = ({ type }: { type: string }) => Buffer.from(type)
    const following = subscribeToAll({ log, outlet: reader.outlet, frame, filter: undefined }, options)
    following.catch(() => {})
    await until('it has caught up', () => reader.seen.includes('caught up'))
    reader.seen.shift()
    return following
  }

  test('that memory no longer reaches back to is notified, gets everything from the storage, and catches up again', async () => {
    await append('A')
    const reader = slowReader()
    const following = follow(reader)
    await until('it has caught up', () => reader.seen.includes('caught up'))
    reader.pause()
    await append('B')
    await until('it stands at B', () => reader.seen.includes('B'))
    for (const type of ['C', 'D', 'E']) await append(type)
    log.tail.restart(log.tail.last)
    reader.resume()
    await until('it has caught up again', () => reader.seen.filter((entry) => entry === 'caught up').length === 2)
    await append('F')
    await until('it is live', () => reader.seen.includes('F'))
    expect(reader.seen).toEqual(['A', 'caught up', 'B', 'fell behind', 'C', 'D', 'E', 'caught up', 'F'])
    reader.leave()
    await expect(following).rejects.toThrow()
  })

  test('that memory reaches back to is not behind, however long it stood still', async () => {
    const reader = slowReader()
    const following = follow(reader)
    await until('it has caught up', () => reader.seen.includes('caught up'))
    reader.pause()
    await append('A')
    await until('it stands at A', () => reader.seen.includes('A'))
    for (const type of ['B', 'C']) await append(type)
    reader.resume()
    await until('it is live', () => reader.seen.includes('C'))
    expect(reader.seen).toEqual(['caught up', 'A', 'B', 'C'])
    reader.leave()
    await expect(following).rejects.toThrow()
  })
})
