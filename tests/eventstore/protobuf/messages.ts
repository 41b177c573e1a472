import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import timestamp from 'google-protobuf/google/protobuf/timestamp_pb.js'

type Id = string | { most: string; least: string }
type Payload = string | Uint8Array
type Expected = { at: string } | 'any' | 'none' | 'exists'
export type EventParts = {
  id?: Id | undefined
  type?: string | undefined
  contentType?: string | undefined
  properties?: Record<string, string>
  data?: Payload
  metadata?: Payload
}
export type OptionParts = {
  stream?: Uint8Array | undefined
  expected?: Expected | undefined
  deadline?: { seconds: number; nanos: number } | undefined
}
export type MessageParts = {
  correlation?: Id | undefined
  options?: OptionParts | undefined
  events: readonly EventParts[]
  isFinal: boolean
}

/** A message of BatchAppend, made as a client makes it. */
export function messageFrom({ correlation, options, events, isFinal }: MessageParts) {
  const message = new messages.BatchAppendReq().setIsFinal(isFinal)
  if (correlation !== undefined) message.setCorrelationId(idFrom(correlation))
  if (options) message.setOptions(optionsFrom(options))
  return message.setProposedMessagesList(events.map(eventFrom))
}

function idFrom(id: Id) {
  if (typeof id === 'string') return new shared.UUID().setString(id)
  const structured = new shared.UUID.Structured().setMostSignificantBits(id.most).setLeastSignificantBits(id.least)
  return new shared.UUID().setStructured(structured)
}

function optionsFrom({ stream, expected, deadline }: OptionParts) {
  const options = new messages.BatchAppendReq.Options()
  if (stream) options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(stream))
  if (expected === 'any') options.setAny(new empty.Empty())
  else if (expected === 'none') options.setNoStream(new empty.Empty())
  else if (expected === 'exists') options.setStreamExists(new empty.Empty())
  else if (expected) options.setStreamPosition(expected.at)
  if (deadline) options.setDeadline(new timestamp.Timestamp().setSeconds(deadline.seconds).setNanos(deadline.nanos))
  return options
}

function eventFrom({ id, type, contentType, properties = {}, data = '', metadata = '' }: EventParts) {
  const event = new messages.BatchAppendReq.ProposedMessage().setData(data).setCustomMetadata(metadata)
  if (id !== undefined) event.setId(idFrom(id))
  if (type !== undefined) event.getMetadataMap().set('type', type)
  if (contentType !== undefined) event.getMetadataMap().set('content-type', contentType)
  for (const [key, value] of Object.entries(properties)) event.getMetadataMap().set(key, value)
  return event
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const json = fc.json().map((text) => Buffer.from(text).toString('base64'))
const nanos = fc.integer({ min: 0, max: 999_999_999 })
const seconds = fc.integer({ min: 1, max: 2 ** 33 })

const commonExpected: fc.Arbitrary<Expected> = fc.oneof(
  fc.constantFrom('any' as const, 'none' as const, 'exists' as const),
  fc.integer({ min: 0, max: 2 ** 48 }).map((at) => ({ at: String(at) })),
)
const commonOptions = fc.record({
  stream: fc.string({ minLength: 1, maxLength: 300, unit: 'binary' }).map((name) => new Uint8Array(Buffer.from(name))),
  expected: commonExpected,
  deadline: fc.record({ seconds, nanos }),
})
const type = fc.string({ minLength: 1, maxLength: 200, unit: 'binary-ascii' })
const commonEvent: fc.Arbitrary<EventParts> = fc.oneof(
  fc.record({
    id: fc.uuid(),
    type,
    contentType: fc.constant('application/json'),
    data: json,
    metadata: fc.oneof(json, bytes(300)),
  }),
  fc.record({
    id: fc.uuid(),
    type,
    contentType: fc.constant('application/octet-stream'),
    data: bytes(300),
    metadata: json,
  }),
)

/** What clients send for every append. */
export const commonMessage: fc.Arbitrary<MessageParts> = fc.record({
  correlation: fc.uuid(),
  options: fc.option(commonOptions, { nil: undefined }),
  events: fc.array(commonEvent, { maxLength: 4 }),
  isFinal: fc.boolean(),
})

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const text = fc.string({ unit: 'grapheme', maxLength: 50 })
const anyId: fc.Arbitrary<Id> = fc.oneof(fc.uuid(), text, fc.record({ most: int64, least: int64 }))

/** Whatever the generated code can write. */
export const anyMessage: fc.Arbitrary<MessageParts> = fc.oneof(
  commonMessage,
  fc.record({
    correlation: optional(anyId),
    options: optional(
      fc.record({
        stream: optional(bytes(40)),
        expected: optional(
          fc.oneof(
            commonExpected,
            fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((at) => ({ at: String(at) })),
          ),
        ),
        deadline: optional(
          fc.record({ seconds: fc.oneof(seconds, fc.constant(0), fc.integer()), nanos: fc.oneof(nanos, fc.integer()) }),
        ),
      }),
    ),
    events: fc.array(
      fc.record({
        id: optional(anyId),
        type: optional(text),
        contentType: optional(fc.oneof(text, fc.constantFrom('application/json', 'application/octet-stream'))),
        properties: fc.dictionary(text, text, { maxKeys: 2 }),
        data: fc.oneof(json, bytes(40)),
        metadata: fc.oneof(json, bytes(40)),
      }),
      { maxLength: 3 },
    ),
    isFinal: fc.boolean(),
  }),
)
