import { Frame, nestedBytes, numberBytes, optionalBytes } from '../../protobuf/frame.ts'
import type { StoredEvent } from '../records.ts'
import { type IdForm, structuredBytes } from './uuids.ts'

/**
 * Encodes a read's answers by hand: they are the hot path, and one event's bytes go to every follower unchanged.
 * The numbers are the field numbers of EventStoreDB's `ReadResp`.
 */
const TICKS_PER_MICROSECOND_DIGITS = '0'

/** The lengths that nested messages carry in front, and the texts that only the wire needs. */
type Measured = {
  event: StoredEvent
  id: Buffer | undefined
  streamBytes: number
  typeBytes: number
  created: string
  length: number
}

const contentTypeOf = (event: StoredEvent): string => (event.json ? 'application/json' : 'application/octet-stream')
const entryBytes = (key: string, valueBytes: number): number => nestedBytes(key.length) + nestedBytes(valueBytes)

function measure(event: StoredEvent, ids: IdForm): Measured {
  const { stream, revision, position, data, metadata } = event
  const id = ids === 'structured' ? structuredBytes(event.id) : undefined
  const created = event.created + TICKS_PER_MICROSECOND_DIGITS
  const streamBytes = Buffer.byteLength(stream)
  const typeBytes = Buffer.byteLength(event.type)
  const length =
    nestedBytes(id ? id.length : nestedBytes(event.id.length)) +
    nestedBytes(nestedBytes(streamBytes)) +
    numberBytes(revision) +
    2 * numberBytes(position) +
    nestedBytes(entryBytes('type', typeBytes)) +
    nestedBytes(entryBytes('created', created.length)) +
    nestedBytes(entryBytes('content-type', contentTypeOf(event).length)) +
    optionalBytes(metadata.length) +
    optionalBytes(data.length)
  return { event, id, streamBytes, typeBytes, created, length }
}

function writeEntry(frame: Frame, key: string, value: string, valueBytes: number): void {
  frame.open(6, entryBytes(key, valueBytes)).text(1, key, key.length).text(2, value, valueBytes)
}

function writeRecorded(
  frame: Frame,
  field: number,
  { event, id, streamBytes, typeBytes, created, length }: Measured,
): void {
  const { stream, revision, position, data, metadata } = event
  const contentType = contentTypeOf(event)
  frame.open(field, length)
  if (id) frame.bytes(1, id)
  else frame.open(1, nestedBytes(event.id.length)).text(2, event.id, event.id.length)
  frame.open(2, nestedBytes(streamBytes)).text(3, stream, streamBytes)
  frame.number(3, revision).number(4, position).number(5, position)
  writeEntry(frame, 'type', event.type, typeBytes)
  writeEntry(frame, 'created', created, created.length)
  writeEntry(frame, 'content-type', contentType, contentType.length)
  if (metadata.length) frame.bytes(7, metadata)
  if (data.length) frame.bytes(8, data)
}

/** A read event, and the link that led to it. A link to nothing arrives alone. */
export function eventFrame(
  event: StoredEvent | undefined,
  { link, ids = 'text' }: { link?: StoredEvent; ids?: IdForm } = {},
): Buffer {
  const position = (link ?? event)!.position
  const target = event && measure(event, ids)
  const source = link && measure(link, ids)
  const length =
    numberBytes(position) + (target ? nestedBytes(target.length) : 0) + (source ? nestedBytes(source.length) : 0)
  const frame = new Frame(nestedBytes(length)).open(1, length)
  if (target) writeRecorded(frame, 1, target)
  if (source) writeRecorded(frame, 2, source)
  return frame.number(3, position).end()
}

const framed = { text: new WeakMap<StoredEvent, Buffer>(), structured: new WeakMap<StoredEvent, Buffer>() }

/** The bytes of an event, made once for all who follow the log. */
export function sharedFrame(event: StoredEvent, ids: IdForm): Buffer {
  let frame = framed[ids].get(event)
  if (!frame) {
    frame = eventFrame(event, { ids })
    framed[ids].set(event, frame)
  }
  return frame
}

export function confirmationFrame(subscriptionId: string): Buffer {
  const bytes = Buffer.byteLength(subscriptionId)
  const length = nestedBytes(bytes)
  return new Frame(nestedBytes(length)).open(2, length).text(1, subscriptionId, bytes).end()
}

export function checkpointFrame(position: number): Buffer {
  const length = 2 * numberBytes(position)
  return new Frame(nestedBytes(length)).open(3, length).number(1, position).number(2, position).end()
}

/** A revision beside the events of a stream. */
const positionFrame = (field: number, revision: number): Buffer =>
  new Frame(numberBytes(revision)).number(field, revision).end()

export const firstPositionFrame = (revision: number): Buffer => positionFrame(5, revision)
export const lastPositionFrame = (revision: number): Buffer => positionFrame(6, revision)

export function streamNotFoundFrame(stream: string): Buffer {
  const bytes = Buffer.byteLength(stream)
  const identifier = nestedBytes(bytes)
  const length = nestedBytes(identifier)
  return new Frame(nestedBytes(length)).open(4, length).open(1, identifier).text(3, stream, bytes).end()
}

export const caughtUpFrame: Buffer = new Frame(2).open(8, 0).end()

export const fellBehindFrame: Buffer = new Frame(2).open(9, 0).end()
