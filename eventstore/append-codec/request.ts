import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js'
import { Frame, nestedBytes, numberBytes, optionalBytes } from '../protobuf/frame.ts'

type Proposed = BatchAppendReq.ProposedMessage
type Payload = Uint8Array | string

const EMPTY_BYTES = nestedBytes(0)
const JSON_TYPE = 'application/json'

const measured = new WeakMap<Proposed, Buffer>()

/**
 * The bytes of an event; undefined where it has more than events of the client have. The client measures each event by its
 * bytes just before it sends it, so they are kept for that.
 */
export function measure(event: Proposed): Buffer | undefined {
  const bytes = eventBytes(event)
  if (bytes) measured.set(event, bytes)
  return bytes
}

/** A message of BatchAppend as it goes over the wire. What is rare in it is written by the generated code. */
export const requestBytes = (message: BatchAppendReq): Buffer =>
  plainRequest(message) ?? Buffer.from(message.serializeBinary())

/** The message by hand. The numbers here and below are field numbers of EventStoreDB's messages. */
export function plainRequest(message: BatchAppendReq): Buffer | undefined {
  const id = message.getCorrelationId()?.getString()
  const options = message.getOptions()
  const head = options && optionsBytes(options)
  const events = message.getProposedMessagesList().map((event) => measured.get(event) ?? eventBytes(event))
  if (!isPlain(id) || (options && !head) || !events.every((event) => event !== undefined)) return undefined
  const idBytes = nestedBytes(id.length)
  let length = nestedBytes(idBytes) + optionalBytes(head?.length ?? 0) + numberBytes(1)
  for (const event of events) length += nestedBytes(event.length)
  const frame = new Frame(length).open(1, idBytes).text(2, id, id.length)
  if (head) frame.bytes(2, head)
  for (const event of events) frame.bytes(3, event)
  return (message.getIsFinal() ? frame.number(4, 1) : frame).end()
}

function optionsBytes(options: BatchAppendReq.Options): Buffer | undefined {
  const stream = options.getStreamIdentifier()?.getStreamName_asU8()
  const deadline = options.getDeadline()
  const [seconds, nanos] = [deadline?.getSeconds() ?? 0, deadline?.getNanos() ?? 0]
  const revision = options.hasStreamPosition() ? Number(options.getStreamPosition()) : -1
  const state = options.hasNoStream() ? 3 : options.hasAny() ? 4 : options.hasStreamExists() ? 5 : 0
  if (!stream || seconds <= 0 || nanos < 0 || revision >= Number.MAX_SAFE_INTEGER) return undefined
  const name = optionalBytes(stream.length)
  const time = numberBytes(seconds) + (nanos && numberBytes(nanos))
  const frame = new Frame(nestedBytes(name) + numberBytes(revision) + EMPTY_BYTES + nestedBytes(time)).open(1, name)
  if (name) frame.bytes(3, stream)
  if (revision >= 0) frame.number(2, revision)
  if (state) frame.open(state, 0)
  frame.open(6, time).number(1, seconds)
  return (nanos ? frame.number(2, nanos) : frame).end()
}

/** An event that has a type and a content type, and nothing else with a name. */
function eventBytes(event: Proposed): Buffer | undefined {
  const id = event.getId()?.getString()
  const properties = event.getMetadataMap()
  const [type, contentType] = [properties.get('type'), properties.get('content-type')]
  if (!isPlain(id) || !isPlain(type) || properties.getLength() !== 2) return undefined
  const [data, metadata] = [event.getData(), event.getCustomMetadata()]
  if (contentType !== JSON_TYPE && !(contentType === 'application/octet-stream' && isBytes(data))) return undefined
  const idBytes = nestedBytes(id.length)
  const kind = entryBytes('content-type', contentType.length)
  const name = entryBytes('type', type.length)
  const [dataBytes, metadataBytes] = [payloadBytes(data), payloadBytes(metadata)]
  const length = nestedBytes(idBytes) + nestedBytes(kind) + nestedBytes(name)
  const frame = new Frame(length + optionalBytes(metadataBytes) + optionalBytes(dataBytes))
  frame.open(1, idBytes).text(2, id, id.length)
  frame.open(2, kind).text(1, 'content-type', 12).text(2, contentType, contentType.length)
  frame.open(2, name).text(1, 'type', 4).text(2, type, type.length)
  writePayload(frame, 3, metadata, metadataBytes)
  return writePayload(frame, 4, data, dataBytes).end()
}

const entryBytes = (key: string, valueBytes: number): number => nestedBytes(key.length) + nestedBytes(valueBytes)

/** Not empty, and ASCII. */
const isPlain = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && Buffer.byteLength(text) === text.length
const isBytes = (payload: Payload): payload is Uint8Array => typeof payload !== 'string'

/** The client makes base64 of what is JSON. */
const payloadBytes = (payload: Payload): number =>
  isBytes(payload) ? payload.length : Buffer.byteLength(payload, 'base64')

function writePayload(frame: Frame, field: number, payload: Payload, bytes: number): Frame {
  if (!bytes) return frame
  return isBytes(payload) ? frame.bytes(field, payload) : frame.base64(field, payload, bytes)
}
