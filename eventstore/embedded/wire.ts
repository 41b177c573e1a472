import { type StoredEvent, TOMBSTONE } from './records.ts'

/**
 * Encodes a read's answers by hand: they are the hot path, and one event's bytes go to every follower unchanged.
 * The numbers are the field numbers of EventStoreDB's `ReadResp`.
 */
const VARINT = 0
const BYTES = 2
const TICKS_PER_MICROSECOND_DIGITS = '0'

class Frame {
  private buffer: Buffer
  private at = 0

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafe(capacity)
  }

  varint(value: number): this {
    let rest = value
    while (rest >= 0x80) {
      this.buffer[this.at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.buffer[this.at++] = rest
    return this
  }

  /** A field holding a position or a revision; the tombstone is the largest signed 64-bit number. */
  number(field: number, value: number): this {
    this.varint((field << 3) | VARINT)
    if (value < TOMBSTONE) return this.varint(value)
    this.buffer.fill(0xff, this.at, this.at + 8)
    this.buffer[this.at + 8] = 0x7f
    this.at += 9
    return this
  }

  text(field: number, value: string, bytes: number): this {
    this.open(field, bytes)
    this.at += this.buffer.write(value, this.at, 'utf8')
    return this
  }

  bytes(field: number, value: Buffer): this {
    this.open(field, value.length)
    this.at += value.copy(this.buffer, this.at)
    return this
  }

  /** Begins a nested message whose length the caller knows. */
  open(field: number, length: number): this {
    return this.varint((field << 3) | BYTES).varint(length)
  }

  end(): Buffer {
    return this.buffer.subarray(0, this.at)
  }
}

const varintBytes = (value: number): number => {
  let bytes = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++
  return bytes
}
const numberBytes = (value: number): number => 1 + (value < TOMBSTONE ? varintBytes(value) : 9)
const nestedBytes = (length: number): number => 1 + varintBytes(length) + length
const optionalBytes = (length: number): number => (length ? nestedBytes(length) : 0)

type Sized = { length: number; write: (frame: Frame) => void }

function mapEntry(key: string, value: string): Sized {
  const valueBytes = Buffer.byteLength(value)
  const length = nestedBytes(key.length) + nestedBytes(valueBytes)
  return { length, write: (frame) => frame.open(6, length).text(1, key, key.length).text(2, value, valueBytes) }
}

function recorded(event: StoredEvent): Sized {
  const { id, stream, revision, position, data, metadata } = event
  const entries = [
    mapEntry('type', event.type),
    mapEntry('created', event.created + TICKS_PER_MICROSECOND_DIGITS),
    mapEntry('content-type', event.json ? 'application/json' : 'application/octet-stream'),
  ]
  const streamBytes = Buffer.byteLength(stream)
  let length = nestedBytes(nestedBytes(id.length)) + nestedBytes(nestedBytes(streamBytes))
  length +=
    numberBytes(revision) + 2 * numberBytes(position) + optionalBytes(metadata.length) + optionalBytes(data.length)
  for (const entry of entries) length += nestedBytes(entry.length)
  const write = (frame: Frame) => {
    frame.open(1, nestedBytes(id.length)).text(2, id, id.length)
    frame.open(2, nestedBytes(streamBytes)).text(3, stream, streamBytes)
    frame.number(3, revision).number(4, position).number(5, position)
    for (const entry of entries) entry.write(frame)
    if (metadata.length) frame.bytes(7, metadata)
    if (data.length) frame.bytes(8, data)
  }
  return { length, write }
}

/** A read event, and the link that led to it. A link to nothing arrives alone. */
export function eventFrame(event: StoredEvent | undefined, link?: StoredEvent): Buffer {
  const position = (link ?? event)!.position
  const parts: [number, Sized][] = []
  if (event) parts.push([1, recorded(event)])
  if (link) parts.push([2, recorded(link)])
  let length = numberBytes(position)
  for (const [, part] of parts) length += nestedBytes(part.length)
  const frame = new Frame(nestedBytes(length)).open(1, length)
  for (const [field, part] of parts) part.write(frame.open(field, part.length))
  return frame.number(3, position).end()
}

const framed = new WeakMap<StoredEvent, Buffer>()

/** The bytes of an event, made once for all who follow the log. */
export function sharedFrame(event: StoredEvent): Buffer {
  let frame = framed.get(event)
  if (!frame) {
    frame = eventFrame(event)
    framed.set(event, frame)
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

export function streamNotFoundFrame(stream: string): Buffer {
  const bytes = Buffer.byteLength(stream)
  const identifier = nestedBytes(bytes)
  const length = nestedBytes(identifier)
  return new Frame(nestedBytes(length)).open(4, length).open(1, identifier).text(3, stream, bytes).end()
}

export const caughtUpFrame: Buffer = new Frame(2).open(8, 0).end()
