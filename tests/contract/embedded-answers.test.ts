import { randomUUID } from 'node:crypto'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials } from '@grpc/grpc-js'
import wellKnown from 'google-protobuf/google/protobuf/empty_pb.js'
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { openLog } from '../../eventstore/log.ts'
import { all, type EmbeddedTarget, newStream, note, notes, openEmbedded, REAL_LOG } from './log-target.ts'
import { GOOD, identifierOf, rawMessages, sendAppend } from './raw-append.ts'

type BatchOptions = InstanceType<typeof messages.BatchAppendReq.Options>
const [UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS] = [2, 3, 4, 5, 6]
const TOO_BIG = 1024 * 1024 + 1
const PAST = timestamps.Timestamp.fromDate(new Date(1_000))

function proposed(bytes = 0) {
  const id = new sharedMessages.UUID().setString(randomUUID())
  const event = new messages.BatchAppendReq.ProposedMessage().setId(id).setData(new Uint8Array(bytes))
  for (const [key, value] of Object.entries(GOOD)) event.getMetadataMap().set(key, value)
  return event
}

/** One append of a batch stream, with its correlation id in either form, and its answer. */
function batch(port: number, options: BatchOptions, events: ReturnType<typeof proposed>[], structured = false) {
  const client = new streamsService.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const numbers = new sharedMessages.UUID.Structured().setMostSignificantBits('-7').setLeastSignificantBits('9')
  const id = new sharedMessages.UUID()
  const request = new messages.BatchAppendReq()
    .setCorrelationId(structured ? id.setStructured(numbers) : id.setString(randomUUID()))
    .setOptions(options)
    .setProposedMessagesList(events)
    .setIsFinal(true)
  return new Promise<messages.BatchAppendResp>((resolve, reject) => {
    const call = client.batchAppend()
    call.on('data', resolve).on('error', reject)
    call.write(request)
    call.end()
  }).finally(() => client.close())
}

const toStream = (stream: string): BatchOptions =>
  new messages.BatchAppendReq.Options().setStreamIdentifier(identifierOf(stream)).setAny(new wellKnown.Empty())

describe.skipIf(REAL_LOG)('answers to appends', () => {
  let target: EmbeddedTarget
  beforeAll(async () => {
    target = await openEmbedded()
  })
  afterAll(() => target.close())
  const client = () => target.client
  const port = () => target.server().port

  test.each<[string, number, (stream: string) => BatchOptions, number]>([
    ['a wrong revision', ALREADY_EXISTS, (stream) => toStream(stream).setStreamPosition('9'), 0],
    ['a time that is over', DEADLINE_EXCEEDED, (stream) => toStream(stream).setDeadline(PAST), 0],
    ['too many bytes', INVALID_ARGUMENT, (stream) => toStream(stream), TOO_BIG],
    ['no stream', INVALID_ARGUMENT, () => toStream(''), 0],
  ])('a batch append with %s is refused with code %i', async (_name, code, options, bytes) => {
    const answer = await batch(port(), options(newStream()), [proposed(bytes)])
    expect(answer.getError()!.getCode()).toBe(code)
  })

  test('a batch append to a stream that has ended is refused as not found', async () => {
    const stream = newStream()
    await client().tombstoneStream(stream)
    const answer = await batch(port(), toStream(stream), [proposed()])
    expect(answer.getError()!.getCode()).toBe(NOT_FOUND)
  })

  test('a batch append that expects nothing is refused', async () => {
    const options = toStream(newStream())
    options.clearAny()
    const answer = await batch(port(), options, [proposed()])
    expect(answer.getError()!.getCode()).toBe(INVALID_ARGUMENT)
  })

  test('a batch append whose correlation is two numbers is answered with them', async () => {
    const answer = await batch(port(), toStream(newStream()), [proposed()], true)
    expect(answer.getSuccess()!.getCurrentRevision()).toBe('0')
    expect(answer.getCorrelationId()!.getStructured()!.getMostSignificantBits()).toBe('-7')
  })

  test('an append of nothing to a stream that is not there names no revision, and makes none', async () => {
    const stream = newStream()
    const [options] = rawMessages(stream, {})
    const classic = (await sendAppend(port(), [options])).getSuccess()!
    const batched = (await batch(port(), toStream(stream), [])).getSuccess()!
    expect([classic.hasNoStream(), batched.hasNoStream()]).toEqual([true, true])
    await expect(all(client().readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' })
  })

  test('an append of nothing names the last revision and adds nothing', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(3))
    const [options] = rawMessages(stream, {})
    const classic = (await sendAppend(port(), [options])).getSuccess()!
    const batched = (await batch(port(), toStream(stream), [])).getSuccess()!
    expect([classic.getCurrentRevision(), batched.getCurrentRevision()]).toEqual(['2', '2'])
    expect(await all(client().readStream(stream))).toHaveLength(3)
  })

  test('an append of nothing lets a deleted stream begin anew', async () => {
    const stream = newStream()
    await client().appendToStream(stream, note('A'))
    await client().deleteStream(stream)
    const [options] = rawMessages(stream, {})
    await sendAppend(port(), [options])
    expect(await all(client().readStream(stream))).toEqual([])
    expect((await client().getStreamMetadata(stream)).metadata).toEqual({ truncateBefore: 1 })
  })
})

describe.skipIf(REAL_LOG)('an append that cannot be decided', () => {
  let target: EmbeddedTarget
  let stream: string
  beforeAll(async () => {
    target = await openEmbedded()
    stream = newStream()
    await target.client.appendToStream(stream, notes(3))
  })
  afterEach(() => void vi.restoreAllMocks())
  afterAll(() => target.close())
  const unread = () => vi.spyOn(PostgresStorage.prototype, 'readToWrite')
  const UNREADABLE = new Error('invalid page')

  test('fails alone', async () => {
    unread().mockRejectedValue(UNREADABLE)
    const append = (to: string) => target.client.appendToStream(to, note('Noted'), { expectedRevision: 'no_stream' })
    const [lost, ...others] = await Promise.allSettled([stream, newStream(), newStream()].map(append))
    expect(lost).toMatchObject({ status: 'rejected', reason: { type: 'unknown' } })
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  })

  test('is answered with the reason, over either call', async () => {
    unread().mockRejectedValue(UNREADABLE)
    const error = (await batch(target.server().port, toStream(stream).setStreamPosition('0'), [proposed()])).getError()!
    const details = 'The write could not be decided: invalid page'
    expect([error.getCode(), error.getMessage()]).toEqual([UNKNOWN, details])
    const [options, event] = rawMessages(stream, { properties: GOOD })
    options.getOptions()!.setRevision('0')
    await expect(sendAppend(target.server().port, [options, event])).rejects.toMatchObject({ code: UNKNOWN, details })
  })

  test('is sent again by the product, which gives up as on a log that does not answer', async () => {
    const log = openLog({ connectionString: target.server().connectionString, giveUpMs: 200 })
    const append = () => log.append(stream, 0, [{ id: randomUUID(), type: 'Noted', data: {}, metadata: {} }])
    const reads = unread().mockRejectedValueOnce(UNREADABLE)
    await expect(append()).rejects.toMatchObject({ name: 'RevisionConflict' })
    expect(reads).toHaveBeenCalledTimes(2)
    reads.mockRejectedValue(UNREADABLE)
    await expect(append()).rejects.toMatchObject({ name: 'LogUnavailable', message: 'the log does not answer' })
    await log.close()
  })
})

describe.skipIf(REAL_LOG)('an empty log', () => {
  test('answers an append of nothing without a position', async () => {
    const target = await openEmbedded()
    const { port } = target.server()
    const [options] = rawMessages('empty', {})
    const classic = (await sendAppend(port, [options])).getSuccess()!
    const batched = (await batch(port, toStream('empty'), [])).getSuccess()!
    expect([classic.hasNoPosition(), batched.hasNoPosition()]).toEqual([true, true])
    await target.close()
  })
})
