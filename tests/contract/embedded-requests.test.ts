import { randomUUID } from 'node:crypto'
import { binaryEvent, type EventStoreDBClient, jsonEvent, StreamNotFoundError } from '@eventstore/db-client'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, asError, type EmbeddedTarget, newStream, note, openEmbedded, REAL_LOG } from './log-target.ts'

const INVALID_ARGUMENT = 3
const CLASSIC = { credentials: { username: 'admin', password: 'changeit' } }
const MEBIBYTE = 1024 * 1024

type Properties = Record<string, string>
type Proposed = { id?: string; properties?: Properties }

/** A classic append as no client of good manners sends it. */
function rawAppend(port: number, stream: string, { id = randomUUID(), properties = {} }: Proposed): Promise<unknown> {
  const client = new streamsService.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const name = new sharedMessages.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream)))
  const options = new messages.AppendReq.Options().setStreamIdentifier(name).setAny(new sharedMessages.Empty())
  const event = new messages.AppendReq.ProposedMessage().setId(new sharedMessages.UUID().setString(id))
  for (const [key, value] of Object.entries(properties)) event.getMetadataMap().set(key, value)
  return new Promise((resolve, reject) => {
    const call = client.append((error, answer) => (error ? reject(error) : resolve(answer)))
    call.on('error', () => {})
    call.write(new messages.AppendReq().setOptions(options))
    call.write(new messages.AppendReq().setProposedMessage(event))
    call.end()
  }).finally(() => client.close())
}

describe.skipIf(REAL_LOG)('requests that the embedded log cannot serve', () => {
  let target: EmbeddedTarget
  const client = (): EventStoreDBClient => target.client
  beforeAll(async () => {
    target = await openEmbedded()
  })
  afterAll(() => target.close())

  const GOOD = { type: 'Noted', 'content-type': 'application/json' }
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
