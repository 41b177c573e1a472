/** An element of Matroska: where its head begins, and its content from there to there. */
type Element = { readonly id: number; readonly at: number; readonly from: number; readonly to: number }
/** What its head promises; `size` of its content, null where it has no known end. */
type Head = { readonly id: number; readonly from: number; readonly size: number | null }

/** An identity of four bytes and a size of eight. */
export const MAX_HEAD_BYTES = 12
/** An identity and a size of a byte each: fewer bytes are nothing. */
export const MIN_HEAD_BYTES = 2

export const VOID = 0xec

/** The head that these bytes begin with; they lie `at` this place. Throws where there is none. */
export function headOf(bytes: Buffer, at: number): Head {
  const idBytes = widthAt(bytes, 0)
  const sizeBytes = widthAt(bytes, idBytes)
  if (idBytes > 4) throw new Error('No element.')
  const size = numberIn(bytes.subarray(idBytes, idBytes + sizeBytes))
  return { id: bytes.readUIntBE(0, idBytes), from: at + idBytes + sizeBytes, size }
}

/** One after the other, as far as there is room for a head. Throws at one without an end there. */
export function* elementsIn(bytes: Buffer, { from, to }: Pick<Element, 'from' | 'to'>): Generator<Element> {
  for (let at = from; at + MIN_HEAD_BYTES <= to; ) {
    const head = headOf(bytes.subarray(at, Math.min(at + MAX_HEAD_BYTES, to)), at)
    const element = { id: head.id, at, from: head.from, to: head.from + (head.size ?? Number.POSITIVE_INFINITY) }
    if (element.to > to) throw new Error('An element larger than what it lies in.')
    yield element
    at = element.to
  }
}

/** The head of an element of so many bytes that nobody looks into. */
export function voidOf(bytes: number): Buffer {
  if (bytes <= 8) return Buffer.of(VOID, 0x80 | (bytes - 2))
  const head = Buffer.alloc(9)
  head.writeBigUInt64BE((1n << 56n) | BigInt(bytes - 9), 1)
  head[0] = VOID
  return head
}

/** How many bytes a number of this kind has: as many as zeros before its first bit, and one. */
function widthAt(bytes: Buffer, at: number): number {
  const width = Math.clz32(bytes.readUInt8(at)) - 23
  if (width > 8 || at + width > bytes.length) throw new Error('No number.')
  return width
}

/** Null for the one that stands for no end: all bits, in one byte or eight. Of eight bytes, some below it round to it. */
function numberIn(bytes: Buffer): number | null {
  const first = bytes.readUInt8(0) & (0xff >> bytes.length)
  const value = bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, first)
  const isOpen = bytes.length === 1 ? value === 0x7f : value >= 2 ** 56
  return isOpen ? null : value
}
