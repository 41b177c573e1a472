/** What a parser opens, wherever it lies, and whatever lies in it. */
const OPENED: ReadonlySet<string> = new Set([
  ...['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'mvex', 'edts', 'dinf'],
  ...['sinf', 'schi', 'wave', 'mfra', 'udta'],
])

export type Box = { readonly name: string; readonly body: Buffer }

/** The bytes of the boxes in one of an MP4's index that holds others; null for one that holds none. */
export function insideOf({ name, body }: Box): Buffer | null {
  if (OPENED.has(name)) return body
  if (name !== 'meta') return null
  // Its boxes come behind version and flags, or at once.
  return body.length >= 4 && body.readUInt32BE(0) === 0 ? body.subarray(4) : body
}

/** A box of size 0 goes on to the end; of size 1 it has its size behind its name. */
export function headerOf(bytes: Buffer, left: number): { name: string; size: number; head: number } {
  const [short, name] = [bytes.readUInt32BE(0), bytes.toString('latin1', 4, 8)]
  const isLong = short === 1
  const size = short === 0 ? left : isLong ? Number(bytes.readBigUInt64BE(8)) : short
  const head = isLong ? 16 : 8
  if (size < head) throw new Error('A box smaller than its head.')
  return { name, size: Math.min(size, left), head }
}

/** One after the other, as far as there is room for a head. */
export function* boxesIn(bytes: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const { name, size, head } = headerOf(bytes.subarray(at), bytes.length - at)
    yield { name, body: bytes.subarray(at + head, at + size) }
    at += size
  }
}
