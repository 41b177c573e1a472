import { randomUUID } from 'node:crypto'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asError, type EmbeddedTarget, newStream, note, notes, openEmbedded, REAL_LOG } from './log-target.ts'
import { GOOD, rawAppend, rawMessages, sendAppend } from './raw-append.ts'
import { empty, filterOf, ofAll, ofStream, type ReadOptions, rawRead, revisionsOf } from './raw-read.ts'

const { Options } = messages.ReadReq
const { BACKWARDS } = Options.ReadDirection
const [INVALID_ARGUMENT, UNKNOWN] = [3, 2]

/** What the protocol can state and the log does not do. */
const INVALID: [string, (stream: string) => ReadOptions][] = [
  ['a stream with a filter', (stream) => ofStream(stream).setFilter(filterOf(stream))],
  [
    'a subscription backwards',
    (stream) => ofStream(stream).setSubscription(subscription()).setReadDirection(BACKWARDS),
  ],
  ['a subscription to all backwards', () => ofAll().setSubscription(subscription()).setReadDirection(BACKWARDS)],
  ['neither a number nor a subscription', (stream) => withoutCount(ofStream(stream))],
  ['neither a filter nor none', () => withoutFilter(ofAll())],
  ['a filter without a window', (stream) => ofAll().setFilter(withoutWindow(filterOf(stream)))],
  [
    'a filter of nothing',
    () => ofAll().setFilter(new Options.FilterOptions().setCount(empty()).setCheckpointintervalmultiplier(1)),
  ],
  ['neither a stream nor all', (stream) => withoutStream(ofStream(stream))],
  ['no form of ids', (stream) => withoutIds(ofStream(stream))],
]

const subscription = () => new Options.SubscriptionOptions()
const changed = <T>(value: T, change: (value: T) => void): T => {
  change(value)
  return value
}
const withoutCount = (options: ReadOptions) => changed(options, (it) => it.clearCount())
const withoutFilter = (options: ReadOptions) => changed(options, (it) => it.clearNoFilter())
const withoutStream = (options: ReadOptions) => changed(options, (it) => it.clearStream())
const withoutIds = (options: ReadOptions) => changed(options, (it) => it.clearUuidOption())
const withoutWindow = (filter: ReturnType<typeof filterOf>) => changed(filter, (it) => it.clearCount())

describe.skipIf(REAL_LOG)('reads as the protocol has them', () => {
  let target: EmbeddedTarget
  beforeAll(async () => {
    target = await openEmbedded()
  })
  afterAll(() => target.close())
  const client = () => target.client
  const read = (options: ReadOptions) => rawRead(target.server().port, options)

  test.each([
    ['forwards', [0, 1, 2]],
    ['backwards', [2, 1, 0]],
  ])('a filtered read %s with a search window goes on beyond it', async (direction, expected) => {
    const stream = newStream('wanted')
    for (let round = 0; round < 3; round++) {
      await client().appendToStream(stream, note('Wanted'))
      await client().appendToStream(newStream('noise'), notes(20))
    }
    const options = ofAll().setFilter(filterOf(stream, 5))
    if (direction === 'backwards') {
      options.setReadDirection(BACKWARDS).setAll(new Options.AllOptions().setEnd(empty()))
    }
    expect(revisionsOf(await read(options))).toEqual(expected)
    expect(revisionsOf(await read(options.setCount('2')))).toEqual(expected.slice(0, 2))
  })

  test.each(INVALID)('a read of %s is refused', async (_name, options) => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    expect(await read(options(stream)).catch(asError)).toMatchObject({ code: INVALID_ARGUMENT })
  })

  test('a write that expects nothing is refused, not done at revision 0', async () => {
    const stream = newStream()
    await client().appendToStream(stream, note('A'))
    const [first, event] = rawMessages(stream, { properties: GOOD })
    first.getOptions()!.clearAny()
    const refusal = await sendAppend(target.server().port, [first, event]).catch(asError)
    expect(refusal).toMatchObject({ code: INVALID_ARGUMENT })
    expect(revisionsOf(await read(ofStream(stream)))).toEqual([0])
  })

  test('a stream is not read forwards from its end', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    const options = ofStream(stream)
    options.getStream()!.setEnd(empty())
    expect(await read(options).catch(asError)).toMatchObject({ code: UNKNOWN })
  })

  test('ids come as two numbers for who wants them so, and may be sent so', async () => {
    const stream = newStream()
    const id = '80000000-0000-0001-ffff-ffffffffff85'
    await rawAppend(target.server().port, stream, { id, properties: GOOD })
    const options = ofStream(stream)
    options.setUuidOption(new Options.UUIDOption().setStructured(empty()))
    const [answer] = await read(options)
    const structured = answer!.getEvent()!.getEvent()!.getId()!.getStructured()!
    expect(structured.getMostSignificantBits()).toBe('-9223372036854775807')
    expect(structured.getLeastSignificantBits()).toBe('-123')

    const [first, event] = rawMessages(stream, { properties: GOOD })
    event.getProposedMessage()!.setId(new sharedMessages.UUID().setStructured(structured))
    const repeated = await sendAppend(target.server().port, [first, event])
    expect(repeated.getSuccess()!.getCurrentRevision()).toBe('0')
    expect(revisionsOf(await read(ofStream(stream)))).toEqual([0])
    const [asText] = await read(ofStream(stream))
    expect(asText!.getEvent()!.getEvent()!.getId()!.getString()).toBe(id)
  })

  test('links and what they point to have their ids as two numbers too', async () => {
    const [to, stream] = [newStream(), newStream()]
    await client().appendToStream(to, note('A'))
    const properties = { type: '$>', 'content-type': 'application/octet-stream' }
    await rawAppend(target.server().port, stream, { id: randomUUID(), properties, data: `0@${to}` })
    const options = ofStream(stream).setResolveLinks(true)
    options.setUuidOption(new Options.UUIDOption().setStructured(empty()))
    const [answer] = await read(options)
    const both = [answer!.getEvent()!.getEvent(), answer!.getEvent()!.getLink()]
    expect(both.map((event) => event!.getId()!.hasStructured())).toEqual([true, true])
  })

  /** Positions that come beside the events: [first, last]. */
  async function positionsOf(options: ReadOptions): Promise<(string | undefined)[]> {
    const answers = await read(options.setControlOption(new Options.ControlOption().setCompatibility(1)))
    const first = answers.find((answer) => answer.hasFirstStreamPosition())?.getFirstStreamPosition()
    const last = answers.at(-1)?.hasLastStreamPosition() ? answers.at(-1)!.getLastStreamPosition() : undefined
    return [first, last]
  }

  test('a client that knows of them gets the last revision of a stream after its events, and the first where it begins later', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(50))
    const backwards = ofStream(stream, 30).setReadDirection(BACKWARDS)
    expect(await positionsOf(ofStream(stream))).toEqual([undefined, '49'])
    expect(await positionsOf(ofStream(stream, 10).setCount('5'))).toEqual([undefined, '49'])
    expect(await positionsOf(backwards)).toEqual([undefined, '49'])
    expect(await positionsOf(ofStream(stream, 60))).toEqual(['50', '49'])
    await client().setStreamMetadata(stream, { truncateBefore: 40 })
    expect(await positionsOf(ofStream(stream))).toEqual(['40', '49'])
    expect(await positionsOf(ofStream(stream, 20))).toEqual([undefined, '49'])
    const unaware = await read(ofStream(stream))
    expect(unaware.every((answer) => answer.hasEvent())).toBe(true)
  })
})
