const SIGNATURE_BYTES = 8
/** Length, type and checksum of a chunk. */
const AROUND_BYTES = 12
const TEXT = new Set(['tEXt', 'zTXt', 'iTXt'])

/**
 * A PNG without its text, which a decoder would unpack for nothing: some KB of it become gigabytes (security T20). The rest is
 * as it was, also where chunks do not fit: the decoder refuses those.
 */
export function withoutText(png: Buffer): Buffer {
  const kept = [png.subarray(0, SIGNATURE_BYTES)]
  let at = SIGNATURE_BYTES
  while (at + AROUND_BYTES <= png.length) {
    const end = at + AROUND_BYTES + png.readUInt32BE(at)
    if (!TEXT.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, png.subarray(at)])
}
