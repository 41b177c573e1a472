import { randomUUID } from 'node:crypto'
import {
  BACKWARDS,
  END,
  eventTypeFilter,
  type Filter,
  NO_STREAM,
  START,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PostgresStorage } from '../../../eventstore/embedded/storage/postgres-storage.ts'
import { scavenge } from '../../../eventstore/embedded/storage/scavenge.ts'
import { until } from '../../support/until.ts'
import {
  all,
  asError,
  type EmbeddedTarget,
  newStream,
  note,
  notes,
  openEmbedded,
  REAL_LOG,
  take,
} from '../log-target.ts'

const SPAN = 10
let target: EmbeddedTarget
const client = () => target.client

const partitions = async () =>
  (
    await target.database.run(`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'log.event'::regclass order by 1`)
  ).rows.map(({ name }) => name as string)

async function restarted(): Promise<void> {
  await target.restart()
  await until('the new server answers', () => all(client().readAll({ maxCount: 1 })).catch(() => false))
}

describe.skipIf(REAL_LOG)('a log in many partitions', () => {
  beforeEach(async () => {
    target = await openEmbedded({ tables: { span: SPAN } })
  })
  afterEach(() => target.close())

  /** Appends of one event to thirty in turn, so that many begin in one partition and end in another. */
  async function written(): Promise<{ id: string; type: string; stream: string }[]> {
    const streams = ['first', 'second', 'third', 'late'].map((category) => newStream(category))
    const expected: { id: string; type: string; stream: string }[] = []
    for (const [round, size] of [1, 3, 12, 2, 30, 1, 9, 25, 4, 1, 11].entries()) {
      const stream = streams[round > 6 ? round % 4 : round % 3]!
      const events = notes(size, `Noted${round % 2}`)
      await client().appendToStream(stream, events)
      expected.push(...events.map(({ id, type }) => ({ id: id!, type, stream })))
    }
    return expected
  }

  const ids = (events: { id: string }[]) => events.map(({ id }) => id)

  test('reads back the same in every direction, from any position and revision, before and after a restart', async () => {
    const expected = await written()
    expect((await partitions()).length).toBeGreaterThan(8)
    for (const again of [false, true]) {
      if (again) await restarted()
      const found = (await all(client().readAll())).filter(({ type }) => type.startsWith('Noted'))
      expect(ids(found)).toEqual(ids(expected))
      expect(ids(await all(client().readAll({ direction: BACKWARDS, fromPosition: END })))).toEqual(
        ids(expected.toReversed()),
      )
      for (const at of [0, 8, 9, 10, 11, 19, 20, 57]) {
        const from = found[at]!.position!
        expect(ids(await all(client().readAll({ fromPosition: from })))).toEqual(ids(expected.slice(at)))
        expect(ids(await all(client().readAll({ direction: BACKWARDS, fromPosition: from })))).toEqual(
          ids(expected.slice(0, at).toReversed()),
        )
      }
      for (const stream of new Set(expected.map((event) => event.stream))) await readsBack(stream, expected)
    }
  })

  async function readsBack(stream: string, expected: { id: string; stream: string }[]): Promise<void> {
    const own = ids(expected.filter((event) => event.stream === stream))
    for (let from = 0; from < own.length; from += 3) {
      const forwards = await all(client().readStream(stream, { fromRevision: BigInt(from) }))
      expect(ids(forwards)).toEqual(own.slice(from))
      expect(forwards.map(({ revision }) => Number(revision))).toEqual(own.slice(from).map((_, at) => from + at))
      const backwards = client().readStream(stream, { direction: BACKWARDS, fromRevision: BigInt(from) })
      expect(ids(await all(backwards))).toEqual(own.slice(0, from + 1).toReversed())
    }
    expect(
      ids(await all(client().readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 2 }))),
    ).toEqual(own.slice(-2).toReversed())
  }

  test('filters by stream and by type across partitions', async () => {
    const expected = await written()
    const [first, last] = ['first', 'Noted1'].map((one) =>
      expected.filter(({ stream, type }) => (stream + type).includes(one)),
    )
    const following = (filter: Filter) => client().subscribeToAll({ fromPosition: START, filter })
    const byStream = await take(first!.length, following(streamNameFilter({ prefixes: ['first'] })))
    const byType = await take(last!.length, following(eventTypeFilter({ prefixes: ['Noted1'] })))
    expect([ids(byStream), ids(byType)]).toEqual([ids(first!), ids(last!)])
  })

  test('knows after a restart what an old partition has: revisions, repeats and metadata', async () => {
    const stream = newStream()
    const events = notes(4)
    await client().appendToStream(stream, events, { expectedRevision: NO_STREAM })
    await client().setStreamMetadata(stream, { maxCount: 3 })
    await client().appendToStream(newStream(), notes(60))
    await restarted()
    const refused = client().appendToStream(stream, note('Other'), { expectedRevision: NO_STREAM })
    expect(await refused.catch(asError)).toBeInstanceOf(WrongExpectedVersionError)
    const repeated = await client().appendToStream(stream, events, { expectedRevision: NO_STREAM })
    expect(repeated.nextExpectedRevision).toBe(3n)
    expect((await all(client().readStream(stream))).map(({ revision }) => revision)).toEqual([1n, 2n, 3n])
    expect((await client().appendToStream(stream, note('Next'), { expectedRevision: 3n })).nextExpectedRevision).toBe(
      4n,
    )
  })

  test('makes room while somebody reads for long', async () => {
    await client().appendToStream(newStream(), note('First'))
    const reader = new pg.Client(target.database.config)
    await reader.connect()
    await reader.query('begin isolation level repeatable read; select count(*) from log.event')
    for (let round = 0; round < 5; round++) await client().appendToStream(newStream(), notes(9))
    expect((await partitions()).length).toBeGreaterThan(4)
    await reader.end()
  })

  test('a writer whose memory is old collides with the one that wrote, also in another partition', async () => {
    await target.server().stop()
    const storage = () => {
      const settings = { database: target.database.config, logLine: () => undefined, lockWaitMs: 1_000 }
      return new PostgresStorage({ ...settings, tables: { span: SPAN } })
    }
    const blank = {
      stream: 's',
      type: 'Noted',
      json: true,
      created: 0,
      data: Buffer.alloc(0),
      metadata: Buffer.alloc(0),
    }
    const event = (position: number, revision: number) => ({ ...blank, position, revision, id: randomUUID() })
    const one = storage()
    await one.open()
    await one.commit([event(1, 0)])
    const holding = new pg.Client(target.database.config)
    await holding.connect()
    // As if the lock had failed: a second one writes what the first one does not hear of.
    await holding.query(`insert into log.event select 2, 1, 0, stream_id, gen_random_uuid(), json, stream, type, data, metadata
      from log.event`)
    await expect(one.commit([event(2, 1)])).rejects.toThrow(/duplicate key/)
    await expect(one.commit([event(3, 1)])).rejects.toThrow(/duplicate key/)
    await holding.end()
    await one.close()
  })

  test('a scavenge drops the partitions that it leaves empty, and what is written goes on behind', async () => {
    const [passing, lasting] = [newStream('passing'), newStream('lasting')]
    await client().appendToStream(passing, notes(35))
    await client().appendToStream(lasting, notes(3))
    const before = await partitions()
    await client().setStreamMetadata(passing, { truncateBefore: 34 })
    const { position } = await client().appendToStream(lasting, notes(10))
    await scavenge({ database: target.database.config })
    const after = await partitions()
    expect(before.filter((name) => !after.includes(name))).toEqual(['log.event_0', 'log.event_11', 'log.event_21'])
    await restarted()
    expect((await all(client().readStream(passing))).map(({ revision }) => revision)).toEqual([34n])
    expect(await all(client().readStream(lasting))).toHaveLength(13)
    const next = await client().appendToStream(passing, note('Next'))
    expect(next.nextExpectedRevision).toBe(35n)
    expect(next.position!.commit).toBe(position!.commit + 1n)
  })
})
