/** What a cursor throws at bytes that are rare or wrong: whoever reads them by the whole grammar decides. */
export const UNUSUAL: Error = new Error('These bytes are not in the plain form.')

const NUMBER_BYTES = 7
const LENGTH_BYTES = 4

/**
 * Reads the plain form of protobuf messages, as every writer of them sends it: fields with numbers below sixteen, in any
 * order, numbers and lengths that fit, and text in ASCII. Whatever else there may be is `UNUSUAL`.
 */
export class Cursor {
  private at = 0

  constructor(private readonly bytes: Buffer) {}

  /** Whether another field begins before `end`, which none may pass. */
  more(end: number): boolean {
    if (this.at > end) throw UNUSUAL
    return this.at < end
  }

  /** Number and wire type of the next field, in one byte. */
  tag(): number {
    const tag = this.byte()
    if (tag >= 0x80) throw UNUSUAL
    return tag
  }

  /** A number below 2^49. */
  varint(mostBytes = NUMBER_BYTES): number {
    let value = 0
    for (let scale = 1, count = 0; count < mostBytes; scale *= 0x80, count++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
    throw UNUSUAL
  }

  flag(): boolean {
    return this.varint(1) !== 0
  }

  /** Where the field that begins here ends. */
  nested(end: number): number {
    const length = this.varint(LENGTH_BYTES)
    if (this.at + length > end) throw UNUSUAL
    return this.at + length
  }

  /** Passes over a message without fields. */
  empty(end: number): void {
    if (this.nested(end) !== this.at) throw UNUSUAL
  }

  text(end: number): string {
    const to = this.nested(end)
    for (let at = this.at; at < to; at++) if (this.bytes[at]! >= 0x80) throw UNUSUAL
    return this.slice(to).toString('latin1')
  }

  /** The bytes of a field of bytes. They share the memory of the whole. */
  field(end: number): Buffer {
    return this.slice(this.nested(end))
  }

  /** The bytes from here to a place that `nested` answered, which are not passed over. */
  peek(to: number): Buffer {
    return this.bytes.subarray(this.at, to)
  }

  private slice(to: number): Buffer {
    const slice = this.bytes.subarray(this.at, to)
    this.at = to
    return slice
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw UNUSUAL
    return byte
  }
}
