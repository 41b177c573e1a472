/**
 * An event as the chain covers it: the row that `COPY … (format binary)` gives for the columns position, created,
 * revision, stream, id, type, json, data, metadata. A count of fields, then each with its length in front, so that no
 * two events have the same bytes. `created` is in microseconds since 1970.
 */
export type Tuple = Buffer

export type Covered = {
  readonly position: number
  readonly created: number
  readonly revision: number
  readonly stream: string
  readonly id: string
  readonly type: string
  readonly json: boolean
  readonly data: Buffer
  readonly metadata: Buffer
}

/** Where an event stands: the part of a tuple that is kept in a segment's listing. */
export type EventPoint = Pick<Covered, 'position' | 'created' | 'revision' | 'stream'>

const FIELDS = 9
const COUNT = 2
const LENGTH = 4
const BIGINT = 8
const UUID = 16
const POSITION_AT = COUNT + LENGTH
const CREATED_AT = POSITION_AT + BIGINT + LENGTH
const REVISION_AT = CREATED_AT + BIGINT + LENGTH
const STREAM_AT = REVISION_AT + BIGINT + LENGTH
const HIGH = 2 ** 32

const bigint = (bytes: Buffer, at: number): number => bytes.readInt32BE(at) * HIGH + bytes.readUInt32BE(at + 4)

export const positionOf = (tuple: Tuple): number => bigint(tuple, POSITION_AT)
export const createdOf = (tuple: Tuple): number => bigint(tuple, CREATED_AT)
/** The length of the tuple's point, from its start. */
export const pointLength = (tuple: Tuple, from = 0): number => STREAM_AT + tuple.readInt32BE(from + STREAM_AT - LENGTH)

/** Which event it is and where it stands, as a copy that may be kept. */
export const identityOf = (tuple: Tuple): Buffer => Buffer.from(tuple.subarray(0, pointLength(tuple) + LENGTH + UUID))

export function readPoint(tuple: Tuple, from = 0): EventPoint {
  return {
    position: bigint(tuple, from + POSITION_AT),
    created: bigint(tuple, from + CREATED_AT),
    revision: bigint(tuple, from + REVISION_AT),
    stream: tuple.toString('utf8', from + STREAM_AT, from + pointLength(tuple, from)),
  }
}

export function writeTuple(event: Covered): Tuple {
  const count = Buffer.alloc(COUNT)
  count.writeInt16BE(FIELDS)
  const fields = [
    int8(event.position),
    int8(event.created),
    int8(event.revision),
    Buffer.from(event.stream, 'utf8'),
    Buffer.from(event.id.replaceAll('-', ''), 'hex'),
    Buffer.from(event.type, 'utf8'),
    Buffer.from([event.json ? 1 : 0]),
    event.data,
    event.metadata,
  ]
  return Buffer.concat([count, ...fields.flatMap((field) => [int4(field.length), field])])
}

function int8(value: number): Buffer {
  const bytes = Buffer.alloc(BIGINT)
  bytes.writeBigInt64BE(BigInt(value))
  return bytes
}

function int4(value: number): Buffer {
  const bytes = Buffer.alloc(LENGTH)
  bytes.writeInt32BE(value)
  return bytes
}

/** Streams that a log server keeps for itself are its own business; the metadata of a product's stream is not. */
export const isCovered = (stream: string): boolean => !stream.replace(/^\$\$/, '').startsWith('$')
