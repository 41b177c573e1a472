import {
  AccessDeniedError,
  ANY,
  binaryEvent,
  DeadlineExceededError,
  type EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  StreamNotFoundError,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, asError, newStream, note, notes, typesOf } from '../log-target.ts'

const CALLS = [
  ['batch', {}],
  ['classic', { credentials: { username: 'admin', password: 'changeit' } }],
] as const

export function limitContract(client: () => EventStoreDBClient): void {
  test.each(CALLS)('a %s append that comes after its deadline is not done', async (_call, how) => {
    const stream = newStream()
    const late = { deadline: 1, ...how }
    const failure = await client().appendToStream(stream, notes(2_000), late).catch(asError)
    expect(failure).toBeInstanceOf(DeadlineExceededError)
    await client().appendToStream(newStream(), note('Later'))
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
  })

  test.each(CALLS)('a %s append of many small events is refused by their sum', async (_call, how) => {
    const stream = newStream()
    const many = Array.from({ length: 1_100 }, (_, index) => note('Small', `${index}`.padStart(1_000)))
    const refusal = await client().appendToStream(stream, many, how).catch(asError)
    expect(refusal).toBeInstanceOf(MaxAppendSizeExceededError)
    expect(refusal).toMatchObject({ maxAppendSize: expect.any(Number) })
    await client().appendToStream(stream, many.slice(0, 500), { expectedRevision: NO_STREAM, ...how })
    expect(await all(client().readStream(stream))).toHaveLength(500)
  })

  test('an append in many small messages is one append', async () => {
    const stream = newStream()
    const options = { expectedRevision: NO_STREAM, batchAppendSize: 1_024 } as const
    const answer = await client().appendToStream(stream, notes(500), options)
    expect(answer.nextExpectedRevision).toBe(499n)
    const read = await all(client().readStream(stream))
    expect(read.map(({ data }) => Number((data as { text: string }).text))).toEqual(
      Array.from({ length: 500 }, (_, index) => index),
    )
  })

  test.each(CALLS)('a %s append of no events stores nothing', async (_call, how) => {
    const stream = newStream()
    await client().appendToStream(stream, [], { expectedRevision: ANY, ...how })
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
  })

  test.each([
    ['text', jsonEvent({ type: 'T', data: 'CC ‐ 1830' })],
    ['a list', jsonEvent({ type: 'T', data: ['a', 1, null] })],
    ['metadata that are bytes', jsonEvent({ type: 'T', data: {}, metadata: Uint8Array.of(0xff, 0, 1) })],
    ['bytes with metadata that are JSON', binaryEvent({ type: 'T', data: Buffer.from('b'), metadata: { by: 'Ann' } })],
    ['no bytes at all', binaryEvent({ type: 'T', data: new Uint8Array() })],
  ])('an event of %s comes back as it went', async (_name, event) => {
    const stream = newStream()
    await client().appendToStream(stream, event)
    const [read] = await all(client().readStream(stream))
    expect(read!.id).toBe(event.id)
    const plain = (value: unknown) => (value instanceof Uint8Array ? [...value] : value)
    expect([plain(read!.data), plain(read!.metadata)]).toEqual([plain(event.data), plain(event.metadata)])
  })

  test.each([
    ['spaces and slashes', 'a b/c?d=e#f'],
    ['letters of the world', 'žluťoučký-🐝-漢字'],
    ['a thousand bytes', 'n'.repeat(900)],
    ['the look of a link', '0@other'],
  ])('a stream whose name has %s is written, read, followed and deleted', async (_name, name) => {
    const stream = `${newStream()}${name}`
    await client().appendToStream(stream, notes(2), { expectedRevision: NO_STREAM })
    expect((await all(client().readStream(stream))).map(({ streamId }) => streamId)).toEqual([stream, stream])
    const refusal = await client().appendToStream(stream, note('B'), { expectedRevision: NO_STREAM }).catch(asError)
    expect(refusal).toMatchObject({ type: 'wrong-expected-version', streamName: stream })
    await client().deleteStream(stream, { expectedRevision: 1n })
    expect(await all(client().readStream(stream)).catch(asError)).toMatchObject({ streamName: stream })
  })

  test('an answer names the position of the last event, which the event has too', async () => {
    const stream = newStream()
    const { position } = await client().appendToStream(stream, notes(3))
    const read = await all(client().readStream(stream))
    expect(read.at(-1)!.position).toEqual(position)
    expect(typesOf(await all(client().readAll({ fromPosition: position!, maxCount: 1 })))).toEqual(['Noted'])
  })

  test('credentials on a connection that cannot carry them are left out', async () => {
    const credentials = { username: 'nobody', password: 'guess' }
    const answer = await client().appendToStream(newStream(), note('A'), { credentials }).catch(asError)
    expect(answer).not.toBeInstanceOf(AccessDeniedError)
  })
}
