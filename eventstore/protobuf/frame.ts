const VARINT = 0
const BYTES = 2
/** Stands for the largest signed 64-bit number, which no number of JavaScript is. */
const MOST = Number.MAX_SAFE_INTEGER

/** Bytes of one protobuf message, written by hand. The caller knows every length beforehand. */
export class Frame {
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

  /** A number that is not negative; from the largest safe one on it is the largest of 64 bits with a sign. */
  number(field: number, value: number): this {
    this.varint((field << 3) | VARINT)
    if (value < MOST) return this.varint(value)
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

  bytes(field: number, value: Uint8Array): this {
    this.open(field, value.length)
    this.buffer.set(value, this.at)
    this.at += value.length
    return this
  }

  /** Bytes that come as base64. */
  base64(field: number, value: string, bytes: number): this {
    this.open(field, bytes)
    this.at += this.buffer.write(value, this.at, 'base64')
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
export const numberBytes = (value: number): number => 1 + (value < MOST ? varintBytes(value) : 9)
export const nestedBytes = (length: number): number => 1 + varintBytes(length) + length
export const optionalBytes = (length: number): number => (length ? nestedBytes(length) : 0)
