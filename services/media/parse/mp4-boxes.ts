const HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16

export type Box = { readonly name: string; readonly whole: Buffer; readonly body: Buffer }

/** Whether a box may begin with these bytes: no box is smaller than its head. */
export function isBox(bytes: Buffer): boolean {
  const short = bytes.readUInt32BE(0)
  if (short !== 1) return short === 0 || short >= HEAD_BYTES
  return bytes.length >= LONG_HEAD_BYTES && bytes.readBigUInt64BE(HEAD_BYTES) >= LONG_HEAD_BYTES
}

/** A box of size 0 goes on to the end; of size 1 it has its size behind its name. */
export function headerOf(bytes: Buffer, left: number): { name: string; size: number; head: number } {
  if (!isBox(bytes)) throw new Error('A box smaller than its head.')
  const [short, name] = [bytes.readUInt32BE(0), bytes.toString('latin1', 4, HEAD_BYTES)]
  const isLong = short === 1
  const size = short === 0 ? left : isLong ? Number(bytes.readBigUInt64BE(HEAD_BYTES)) : short
  return { name, size, head: isLong ? LONG_HEAD_BYTES : HEAD_BYTES }
}

/** The box that begins here. Throws at one that goes on beyond these bytes. */
export function boxAt(bytes: Buffer, at: number): Box {
  const { name, size, head } = headerOf(bytes.subarray(at), bytes.length - at)
  if (at + size > bytes.length) throw new Error('A box larger than what it lies in.')
  const whole = bytes.subarray(at, at + size)
  return { name, whole, body: whole.subarray(head) }
}

/** One after the other, as far as there is room for a head; within an index, a size of 0 is its end. */
export function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + HEAD_BYTES <= bytes.length && bytes.readUInt32BE(at) !== 0; ) {
    const box = boxAt(bytes, at)
    yield box
    at += box.whole.length
  }
}
