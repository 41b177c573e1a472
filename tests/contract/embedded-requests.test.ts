import { once } from 'node:events'
import http2 from 'node:http2'
import {
  binaryEvent,
  type EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  StreamNotFoundError,
} from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, asError, type EmbeddedTarget, newStream, note, openEmbedded, REAL_LOG } from './log-target.ts'
import { GOOD, type Proposed, rawAppend, rawMessages, sendAppend } from './raw-append.ts'

/** HTTP/2's code of a reset by the client. */
const CANCEL = 8
const INVALID_ARGUMENT = 3
const CLASSIC = { credentials: { username: 'admin', password: 'changeit' } }
const MEBIBYTE = 1024 * 1024

const GIVEN_UP = {
  'is reset': (_session: http2.ClientHttp2Session, call: http2.ClientHttp2Stream) => call.close(CANCEL),
  'loses its connection': (session: http2.ClientHttp2Session) => session.destroy(),
}

/** A classic append that ends so when its first event has arrived. */
async function halfAppend(port: number, stream: string, end: keyof typeof GIVEN_UP): Promise<void> {
  const session = http2.connect(`http://127.0.0.1:${port}`).on('error', () => {})
  const path = '/event_store.client.streams.Streams/Append'
  const call = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' })
  call.on('error', () => {})
  for (const message of rawMessages(stream, { properties: GOOD })) {
    const bytes = message.serializeBinary()
    const frame = Buffer.alloc(5 + bytes.length)
    frame.writeUInt32BE(bytes.length, 1)
    frame.set(bytes, 5)
    call.write(frame)
  }
  await once(session, 'connect')
  await new Promise((resolve) => session.ping(resolve))
  GIVEN_UP[end](session, call)
  await once(call, 'close')
  session.destroy()
}

describe.skipIf(REAL_LOG)('requests that the embedded log cannot serve', () => {
  let target: EmbeddedTarget
  const client = (): EventStoreDBClient => target.client
  beforeAll(async () => {
    target = await openEmbedded()
  })
  afterAll(() => target.close())

  test.each<[string, Proposed, string]>([
    ['without a type', { properties: { 'content-type': 'application/json' } }, 'missing-required-metadata-property'],
    ['without a content type', { properties: { type: 'Noted' } }, 'missing-required-metadata-property'],
    ['whose id is none', { id: 'one', properties: GOOD }, ''],
    ['whose type holds a zero byte', { properties: { ...GOOD, type: 'No\0ted' } }, ''],
  ])('an event %s is refused', async (_name, proposed, exception) => {
    const stream = newStream()
    const refusal = await rawAppend(target.server().port, stream, proposed).catch(asError)
    expect(refusal).toMatchObject({ code: INVALID_ARGUMENT })
    const { metadata } = refusal as { metadata: { get(name: string): unknown[] } }
    expect(metadata.get('exception').join()).toBe(exception)
    await expect(all(client().readStream(stream))).rejects.toBeInstanceOf(StreamNotFoundError)
  })

  test.each([
    ['no name', ''],
    ['the name of no stream', '$$'],
    ['the name of the whole log', '$all'],
    ['a name of two thousand bytes', 'n'.repeat(2_000)],
    ['a name with a zero byte', 'a\0b'],
  ])('a stream with %s is refused, and the log continues', async (_name, stream) => {
    await expect(client().appendToStream(stream, note('A'))).rejects.toMatchObject({ type: 'unknown' })
    await expect(client().appendToStream(stream, note('A'), CLASSIC)).rejects.toMatchObject({ code: INVALID_ARGUMENT })
    await expect(client().deleteStream(stream)).rejects.toMatchObject({ code: INVALID_ARGUMENT })
    await expect(all(client().readStream(stream))).rejects.toMatchObject({ code: INVALID_ARGUMENT })
    await client().appendToStream(newStream(), note('B'))
  })

  test('a classic append has its options first, and once', async () => {
    const [options, event] = rawMessages(newStream(), { properties: GOOD })
    const [others] = rawMessages(newStream(), {})
    const { port } = target.server()
    for (const sent of [[], [event], [event, options], [options, event, others, event]])
      expect(await sendAppend(port, sent).catch(asError)).toMatchObject({ code: INVALID_ARGUMENT })
  })

  test.each(['classic', 'batch'] as const)('a %s append of endless metadata is refused', async (how) => {
    const metadata = new Uint8Array(11 * MEBIBYTE)
    const many = Array.from({ length: 3 }, () => jsonEvent({ type: 'Large', data: {}, metadata }))
    const options = how === 'classic' ? CLASSIC : { batchAppendSize: MEBIBYTE }
    const refusal = await client().appendToStream(newStream(), many, options).catch(asError)
    expect(refusal).toBeInstanceOf(MaxAppendSizeExceededError)
  })

  test.each(['is reset', 'loses its connection'] as const)(
    'a classic append that %s half way stores nothing',
    async (end) => {
      const streams = Array.from({ length: 15 }, () => newStream())
      for (const stream of streams) await halfAppend(target.server().port, stream, end)
      await client().appendToStream(newStream(), note('Later'), CLASSIC)
      const found = await Promise.all(streams.map((stream) => all(client().readStream(stream)).catch(asError)))
      expect(found.filter((outcome) => !(outcome instanceof StreamNotFoundError))).toEqual([])
    },
  )

  test('an expression that cannot be read is refused', async () => {
    const filter = { filterOn: 'streamName', regex: '(', checkpointInterval: 1 } as const
    const failure = new Promise((_resolve, reject) =>
      client().subscribeToAll({ filter }).once('error', reject).resume(),
    )
    await expect(failure).rejects.toMatchObject({ code: INVALID_ARGUMENT })
  })

  test.each([
    ['a classic', CLASSIC],
    ['a batch', {}],
  ])('%s append of an event that no client could read is refused', async (_name, how) => {
    const stream = newStream()
    const metadata = new Uint8Array(16 * MEBIBYTE)
    const huge = jsonEvent({ type: 'Huge', data: {}, metadata })
    await expect(client().appendToStream(stream, huge, how)).rejects.toMatchObject({ type: 'unknown' })
    const large = binaryEvent({ type: 'Large', data: Buffer.alloc(1), metadata: new Uint8Array(15 * MEBIBYTE) })
    await client().appendToStream(stream, large, how)
    const [read] = await all(client().readStream(stream))
    expect((read!.metadata as Uint8Array).length).toBe(15 * MEBIBYTE)
  })
})
