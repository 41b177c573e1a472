import {
  type EventStoreDBClient,
  NO_STREAM,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, newStream, note, notes, typesOf } from '../log-target.ts'

export function removalContract(client: () => EventStoreDBClient): void {
  test('a deleted stream reads as absent, and goes on after its last revision when written again', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    await client().deleteStream(stream)
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
    const again = await client().appendToStream(stream, note('Again'), { expectedRevision: NO_STREAM })
    expect(again.nextExpectedRevision).toBe(2n)
    expect(typesOf(await all(client().readStream(stream)))).toEqual(['Again'])
  })

  test('a stream is not deleted at a wrong revision', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    const refusal = await client()
      .deleteStream(stream, { expectedRevision: 0n })
      .catch((error) => error)
    expect(refusal).toBeInstanceOf(WrongExpectedVersionError)
    expect(await all(client().readStream(stream))).toHaveLength(2)
  })

  test('a tombstoned stream is gone for ever', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    await client().tombstoneStream(stream)
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamDeletedError)
    await expect(client().appendToStream(stream, note('Never'))).rejects.toBeInstanceOf(StreamDeletedError)
  })

  test('metadata limits what a reader sees to the newest events', async () => {
    const stream = newStream()
    await client().setStreamMetadata(stream, { maxCount: 2 })
    await client().appendToStream(stream, [note('A'), note('B'), note('C')])
    expect(typesOf(await all(client().readStream(stream)))).toEqual(['B', 'C'])
    expect((await client().getStreamMetadata(stream)).metadata).toEqual({ maxCount: 2 })
    await client().setStreamMetadata(stream, { truncateBefore: 2 })
    expect(typesOf(await all(client().readStream(stream)))).toEqual(['C'])
  })
}
