import {
  ANY,
  binaryEvent,
  type EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { expect, test } from 'vitest'
import { all, asError, newStream, note, notes, typesOf } from '../log-target.ts'

/** With credentials the client appends by the classic call, without them by the batch call. */
const CALLS = [
  ['batch', {}],
  ['classic', { credentials: { username: 'admin', password: 'changeit' } }],
] as const

export function appendContract(client: () => EventStoreDBClient): void {
  test.each(CALLS)('a %s append is accepted at each kind of expected revision', async (_call, how) => {
    const stream = newStream()
    const append = (expectedRevision: bigint | 'any' | 'no_stream' | 'stream_exists', count = 1) =>
      client().appendToStream(stream, notes(count), { expectedRevision, ...how })
    expect((await append(NO_STREAM, 3)).nextExpectedRevision).toBe(2n)
    expect((await append(2n)).nextExpectedRevision).toBe(3n)
    expect((await append(ANY)).nextExpectedRevision).toBe(4n)
    expect((await append(STREAM_EXISTS)).nextExpectedRevision).toBe(5n)
    const events = await all(client().readStream(stream))
    expect(events.map((event) => event.revision)).toEqual([0n, 1n, 2n, 3n, 4n, 5n])
  })

  test.each(CALLS)('a %s append at a wrong revision is refused with both revisions', async (_call, how) => {
    const stream = newStream()
    await client().appendToStream(stream, notes(3))
    for (const expectedRevision of [0n, 7n]) {
      const refusal = await client()
        .appendToStream(stream, note('Late'), { expectedRevision, ...how })
        .catch(asError)
      expect(refusal).toBeInstanceOf(WrongExpectedVersionError)
      expect(refusal).toMatchObject({ streamName: stream, expectedVersion: expectedRevision, actualVersion: 2n })
    }
    const refusal = await client().appendToStream(stream, note('Late'), { expectedRevision: NO_STREAM }).catch(asError)
    expect(refusal).toMatchObject({ expectedVersion: 'no_stream', actualVersion: 2n })
    expect(await all(client().readStream(stream))).toHaveLength(3)
  })

  test.each(CALLS)('a %s append to a stream that must exist is refused when it does not', async (_call, how) => {
    const stream = newStream()
    for (const expectedRevision of [STREAM_EXISTS, 0n] as const) {
      const refusal = await client()
        .appendToStream(stream, note('First'), { expectedRevision, ...how })
        .catch(asError)
      expect(refusal).toBeInstanceOf(WrongExpectedVersionError)
      expect(refusal).toMatchObject({ expectedVersion: expectedRevision, actualVersion: 'no_stream' })
    }
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
  })

  test('of fifty appends at one revision exactly one wins, whole', async () => {
    const stream = newStream()
    const tries = Array.from({ length: 50 }, (_, i) => [note('First', String(i)), note('Second', String(i))])
    const outcomes = await Promise.allSettled(
      tries.map((events) => client().appendToStream(stream, events, { expectedRevision: NO_STREAM })),
    )
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const stored = await all(client().readStream(stream))
    expect(stored.map(({ id }) => id)).toEqual(tries[winner]!.map(({ id }) => id))
  })

  test('an append of three hundred events stands in one piece', async () => {
    const stream = newStream()
    const { position } = await client().appendToStream(stream, notes(300), { expectedRevision: NO_STREAM })
    const events = await all(client().readStream(stream))
    expect(events.map((event) => event.revision)).toEqual(Array.from({ length: 300 }, (_, i) => BigInt(i)))
    expect(events.at(-1)!.position).toEqual(position)
  })

  test('JSON, metadata and binary payloads come back as they went', async () => {
    const stream = newStream()
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    const data = { text: 'ž 🐝 \u0000 "', nested: [1, null, { a: true }] }
    await client().appendToStream(stream, [
      jsonEvent({ type: 'Ünï', data, metadata: { actor: 'Ann' } }),
      binaryEvent({ type: 'Bytes', data: bytes, metadata: bytes }),
      jsonEvent({ type: 'Empty', data: {} }),
    ])
    const [json, binary, empty] = await all(client().readStream(stream))
    expect(json).toMatchObject({ type: 'Ünï', isJson: true, data, metadata: { actor: 'Ann' } })
    expect(binary!.isJson).toBe(false)
    expect(Buffer.from(binary!.data as Uint8Array).equals(bytes)).toBe(true)
    expect(Buffer.from(binary!.metadata as Uint8Array).equals(bytes)).toBe(true)
    expect(empty).toMatchObject({ data: {}, metadata: undefined })
    expect(Math.abs(json!.created.getTime() - Date.now())).toBeLessThan(60_000)
  })

  test.each(CALLS)('a %s append of more than a mebibyte is refused by its size', async (_call, how) => {
    const stream = newStream()
    const half = binaryEvent({ type: 'Half', data: new Uint8Array(512 * 1024) })
    const other = binaryEvent({ type: 'Half', data: new Uint8Array(512 * 1024 + 1) })
    const refusal = await client().appendToStream(stream, [half, other], how).catch(asError)
    expect(refusal).toBeInstanceOf(MaxAppendSizeExceededError)
    expect(refusal).toMatchObject({ maxAppendSize: 1024 * 1024 })
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
    await client().appendToStream(stream, [half, note('Small')])
    expect(typesOf(await all(client().readStream(stream)))).toEqual(['Half', 'Small'])
  })
}
