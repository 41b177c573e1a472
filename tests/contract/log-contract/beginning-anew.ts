import {
  ANY,
  type AppendExpectedRevision,
  type EventStoreDBClient,
  NO_STREAM,
  StreamNotFoundError,
  streamNameFilter,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, newStream, note, notes, take, typesOf } from '../log-target.ts'

/** What a deleted stream is afterwards. */
export function beginningAnewContract(client: () => EventStoreDBClient): void {
  async function deleted(): Promise<string> {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    await client().setStreamMetadata(stream, { maxCount: 7, owner: 'Ann' })
    await client().deleteStream(stream)
    return stream
  }
  const metadataOf = async (stream: string) => (await client().getStreamMetadata(stream)).metadata

  test.each<[string, AppendExpectedRevision]>([
    ['any revision', ANY],
    ['no stream', NO_STREAM],
    ['its last revision', 1n],
  ])('a deleted stream begins anew at %s, after its last revision', async (_name, expectedRevision) => {
    const stream = await deleted()
    const again = await client().appendToStream(stream, note('Again'), { expectedRevision })
    expect(again.nextExpectedRevision).toBe(2n)
    const [event, ...others] = await all(client().readStream(stream))
    expect([event!.type, event!.revision, others]).toEqual(['Again', 2n, []])
    expect(event!.position).toEqual(again.position)
    expect(await metadataOf(stream)).toEqual({ truncateBefore: 2 })
  })

  test('a deletion leaves nothing of the metadata, and a stream can be deleted again', async () => {
    const stream = await deleted()
    expect(Object.keys((await metadataOf(stream)) ?? {})).toEqual(['truncateBefore'])
    for (const last of [2, 3]) {
      await client().appendToStream(stream, note('Again'))
      expect(typesOf(await all(client().readStream(stream)))).toEqual(['Again'])
      expect(await metadataOf(stream)).toEqual({ truncateBefore: last })
      await client().deleteStream(stream)
      await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
    }
  })

  test('metadata of a deleted stream bring nothing of it back: it begins anew with them', async () => {
    const stream = await deleted()
    const { nextExpectedRevision } = await client().setStreamMetadata(stream, { maxCount: 5, owner: 'Bea' })
    expect(nextExpectedRevision).toBe(2n)
    expect(await all(client().readStream(stream))).toEqual([])
    expect(await metadataOf(stream)).toEqual({ maxCount: 5, owner: 'Bea', truncateBefore: 2 })
    await client().appendToStream(stream, note('Again'), { expectedRevision: 1n })
    expect(typesOf(await all(client().readStream(stream)))).toEqual(['Again'])
  })

  test('a truncation among the metadata of a deleted stream gives way to its own', async () => {
    const stream = await deleted()
    await client().setStreamMetadata(stream, { truncateBefore: 0 })
    expect(await all(client().readStream(stream))).toEqual([])
    expect(await metadataOf(stream)).toEqual({ truncateBefore: 2 })
  })

  test('the log has what was written to a deleted stream first, and then what lets it begin anew', async () => {
    const stream = await deleted()
    await client().appendToStream(stream, [note('Again'), note('Again')])
    await client().deleteStream(stream)
    await client().setStreamMetadata(stream, { maxCount: 5 })
    const filter = streamNameFilter({ regex: `${stream}$` })
    const seen = await take(10, client().subscribeToAll({ filter }))
    expect(typesOf(seen).slice(3)).toEqual([
      '$metadata',
      'Again',
      'Again',
      '$metadata',
      '$metadata',
      '$metadata',
      '$metadata',
    ])
    expect(seen.slice(-3).map(({ data }) => Object.keys(data as object))).toEqual([
      ['$tb'],
      ['$maxCount'],
      ['$maxCount', '$tb'],
    ])
  })
}
