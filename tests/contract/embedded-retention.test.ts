import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayBeGone } from '../../eventstore/chain/missing.ts'
import { scavenge } from '../../eventstore/embedded/storage/scavenge.ts'
import { until } from '../support/until.ts'
import { all, type EmbeddedTarget, newStream, notes, openEmbedded, REAL_LOG } from './log-target.ts'
import { rawMetadata } from './raw-append.ts'
import { RETENTIONS } from './retention-table.ts'

const EVENTS = 6
const client = () => target.client
let target: EmbeddedTarget

const revisionsOf = (events: { revision: bigint }[]) => events.map(({ revision }) => Number(revision))
const seen = async (stream: string) => revisionsOf(await all(client().readStream(stream)))

/** Revisions that the storage itself holds. */
async function stored(stream: string): Promise<number[]> {
  const text = 'select revision from log.event where stream = $1 order by revision'
  return (await target.database.run(text, [stream])).rows.map(({ revision }) => Number(revision))
}

/** A stream of six events with metadata of exactly these bytes. */
async function streamWith(metadata: string, contentType?: string): Promise<string> {
  const stream = newStream('kept')
  await client().appendToStream(stream, notes(EVENTS))
  await rawMetadata(target.server().port, stream, metadata, contentType)
  return stream
}

describe.skipIf(REAL_LOG)('what metadata give up', () => {
  beforeAll(async () => {
    target = await openEmbedded()
  })
  afterAll(() => target.close())

  test.each(RETENTIONS)('%s: a reader sees it so, and a scavenge takes no more', async (_name, metadata, expected) => {
    const stream = await streamWith(metadata)
    expect(await seen(stream)).toEqual(expected)
    await scavenge({ database: target.database.config })
    expect(await stored(stream)).toEqual(expected)
  })

  test.each(RETENTIONS)('%s: the chain lets as much be gone', (_name, metadata, expected) => {
    const own = { last: EVENTS - 1, metadata: Buffer.from(metadata) }
    const now = new Date()
    const event = { stream: 'kept', id: '', position: 1, created: now.getTime() * 1_000 }
    const gone = (revision: number) => mayBeGone({ ...event, revision }, now, { own, subject: null })
    expect(Array.from({ length: EVENTS }, (_, revision) => revision).filter((one) => !gone(one))).toEqual(expected)
  })

  test('metadata in an event that is not marked as JSON are empty', async () => {
    const stream = await streamWith('{"$tb":3}', 'application/octet-stream')
    expect(await seen(stream)).toEqual([0, 1, 2, 3, 4, 5])
    await scavenge({ database: target.database.config })
    expect(await stored(stream)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('a stream with a broken limit keeps no scavenge from the others', async () => {
    const [broken, other] = [await streamWith('{"$maxCount":1.5}'), await streamWith('{"$maxCount":1}')]
    await scavenge({ database: target.database.config })
    expect([await stored(broken), await stored(other)]).toEqual([[0, 1, 2, 3, 4, 5], [5]])
  })

  test('metadata of metadata hide nothing: the newest are there, and no older ones', async () => {
    const stream = newStream('kept')
    for (const maxCount of [9, 8, 7]) await client().setStreamMetadata(stream, { maxCount })
    await client().setStreamMetadata(`$$${stream}`, { maxCount: 9 })
    expect(await seen(`$$${stream}`)).toEqual([2])
    await client().deleteStream(`$$${stream}`)
    expect(await seen(`$$${stream}`)).toEqual([2])
    await scavenge({ database: target.database.config })
    expect(await stored(`$$${stream}`)).toEqual([2])
    expect((await client().getStreamMetadata(stream)).metadata).toEqual({ maxCount: 7 })
  })

  test('a reader sees the same after a restart, when the metadata are read from the storage', async () => {
    const streams = await Promise.all(RETENTIONS.map(([, metadata]) => streamWith(metadata)))
    await target.restart()
    await until('the new server answers', () => all(client().readAll({ maxCount: 1 })).catch(() => false))
    expect(await Promise.all(streams.map(seen))).toEqual(RETENTIONS.map(([, , expected]) => expected))
  })
})
