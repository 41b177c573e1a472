import {
  ANY,
  type EventStoreDBClient,
  type ExpectedRevision,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { describe, expect, test } from 'vitest'
import { all, asError, newStream, note, notes, take, typesOf } from '../log-target.ts'

type Removal = 'deleteStream' | 'tombstoneStream'
type Before = 'two events' | 'nothing' | 'metadata alone'

/** What a removal at an expected revision comes to, by what was there before. */
const REMOVALS: [Removal, ExpectedRevision, Before, 'done' | 'refused'][] = [
  ['deleteStream', ANY, 'two events', 'done'],
  ['deleteStream', 1n, 'two events', 'done'],
  ['deleteStream', 0n, 'two events', 'refused'],
  ['deleteStream', 2n, 'two events', 'refused'],
  ['deleteStream', NO_STREAM, 'two events', 'refused'],
  ['deleteStream', NO_STREAM, 'metadata alone', 'done'],
  ['deleteStream', 0n, 'nothing', 'refused'],
  ['tombstoneStream', ANY, 'two events', 'done'],
  ['tombstoneStream', 1n, 'two events', 'done'],
  ['tombstoneStream', 0n, 'two events', 'refused'],
  ['tombstoneStream', 2n, 'two events', 'refused'],
  ['tombstoneStream', NO_STREAM, 'two events', 'refused'],
  ['tombstoneStream', NO_STREAM, 'nothing', 'done'],
  ['tombstoneStream', ANY, 'nothing', 'done'],
]

async function prepare(client: EventStoreDBClient, before: Before): Promise<string> {
  const stream = newStream()
  if (before === 'two events') await client.appendToStream(stream, notes(2))
  if (before === 'metadata alone') await client.setStreamMetadata(stream, { cacheControl: 10 })
  return stream
}

export function removalContract(client: () => EventStoreDBClient): void {
  test.each(REMOVALS)('%s at %s of a stream with %s is %s', async (removal, expectedRevision, before, outcome) => {
    const stream = await prepare(client(), before)
    const answer = await client()[removal](stream, { expectedRevision }).catch(asError)
    const read = await all(client().readStream(stream)).catch(asError)
    if (outcome === 'done') {
      expect(answer).toMatchObject({ position: { commit: expect.any(BigInt), prepare: expect.any(BigInt) } })
      expect(read).toBeInstanceOf(removal === 'deleteStream' ? StreamNotFoundError : StreamDeletedError)
      expect(read).toMatchObject({ streamName: stream })
    } else {
      expect(answer).toBeInstanceOf(WrongExpectedVersionError)
      expect(answer).toMatchObject({ streamName: stream })
      if (before === 'two events') expect(read).toHaveLength(2)
    }
  })

  describe('a tombstoned stream', () => {
    test.each<[string, (stream: string) => Promise<unknown>]>([
      ['read', (stream) => all(client().readStream(stream))],
      ['followed', (stream) => take(1, client().subscribeToStream(stream))],
      ['written at any revision', (stream) => client().appendToStream(stream, note('Never'))],
      [
        'written at no stream',
        (stream) => client().appendToStream(stream, note('Never'), { expectedRevision: NO_STREAM }),
      ],
      [
        'written at stream exists',
        (stream) => client().appendToStream(stream, note('Never'), { expectedRevision: STREAM_EXISTS }),
      ],
      [
        'written at its last revision',
        (stream) => client().appendToStream(stream, note('Never'), { expectedRevision: 1n }),
      ],
      ['given metadata', (stream) => client().setStreamMetadata(stream, { maxCount: 1 })],
      ['asked for metadata', (stream) => client().getStreamMetadata(stream)],
      ['deleted', (stream) => client().deleteStream(stream)],
      ['tombstoned again', (stream) => client().tombstoneStream(stream)],
    ])('cannot be %s', async (_name, use) => {
      const stream = await prepare(client(), 'two events')
      await client().setStreamMetadata(stream, { maxCount: 5 })
      await client().tombstoneStream(stream)
      expect(await use(stream).catch(asError)).toBeInstanceOf(StreamDeletedError)
    })
  })

  test('a follower of a stream is notified of its end', async () => {
    const stream = await prepare(client(), 'two events')
    const subscription = client().subscribeToStream(stream)
    const seen: string[] = []
    const ended = new Promise((resolve) => {
      subscription.on('data', ({ event }) => seen.push(event!.type)).once('error', resolve)
      subscription.once('caughtUp', () => client().tombstoneStream(stream).catch(resolve))
    })
    expect(await ended).toBeInstanceOf(StreamDeletedError)
    expect(seen).toEqual(['Noted', 'Noted', '$streamDeleted'])
  })

  test('a follower of the whole log sees what is removed, and its removal', async () => {
    const stream = await prepare(client(), 'two events')
    await client().deleteStream(stream)
    await client().tombstoneStream(stream)
    const filter = streamNameFilter({ regex: `${stream}$` })
    const types = typesOf(await take(4, client().subscribeToAll({ filter })))
    expect(types).toEqual(['Noted', 'Noted', '$metadata', '$streamDeleted'])
  })
}
