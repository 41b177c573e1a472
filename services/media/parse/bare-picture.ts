/** A picture as a decoder may see it, and the EXIF that it came with. */
export type BarePicture = { readonly bytes: Buffer; readonly exif: Buffer | null }

/**
 * A picture without what a decoder would read of it for nothing, before any pixel: some KB of a PNG's text become gigabytes,
 * and EXIF that refers to itself keeps a decoder busy for seconds (security T20). The rest is as it was, also where it does
 * not fit: the decoder refuses that.
 */
export function bareOf(sent: Buffer, format: string): BarePicture {
  return FORMATS[format]?.(sent) ?? { bytes: sent, exif: null }
}

const FORMATS: Readonly<Record<string, (sent: Buffer) => BarePicture>> = { png, jpeg, webp }

/** The bytes that stay, in one place, however many pieces they come in. */
class Kept {
  readonly #sent: Buffer
  readonly #bytes: Buffer
  #length = 0
  #from = 0
  #to: number

  /** `start`: of the bytes that a picture begins with. */
  constructor(sent: Buffer, start: number) {
    this.#sent = sent
    this.#bytes = Buffer.alloc(sent.length)
    this.#to = start
  }

  add(from: number, to: number): void {
    if (from !== this.#to) {
      this.#copy()
      this.#from = from
    }
    this.#to = to
  }

  withRest(from: number): Buffer {
    this.add(from, this.#sent.length)
    this.#copy()
    return this.#bytes.subarray(0, this.#length)
  }

  #copy(): void {
    if (this.#from < this.#sent.length) this.#length += this.#sent.copy(this.#bytes, this.#length, this.#from, this.#to)
  }
}

const PNG_SIGNATURE_BYTES = 8
/** Length, type and checksum of a chunk. */
const AROUND_BYTES = 12
const PNG_TEXT = new Set(['tEXt', 'zTXt', 'iTXt'])
const PNG_EXIF = 'eXIf'

function png(sent: Buffer): BarePicture {
  const kept = new Kept(sent, PNG_SIGNATURE_BYTES)
  let exif: Buffer | null = null
  let at = PNG_SIGNATURE_BYTES
  while (at + AROUND_BYTES <= sent.length) {
    const end = at + AROUND_BYTES + sent.readUInt32BE(at)
    const type = sent.toString('latin1', at + 4, at + 8)
    if (type === PNG_EXIF) exif ??= sent.subarray(at + 8, end - 4)
    else if (!PNG_TEXT.has(type)) kept.add(at, end)
    at = end
  }
  return { bytes: kept.withRest(at), exif }
}

const JPEG_START_BYTES = 2
/** EXIF and XMP. */
const APP1 = 0xe1
const START_OF_SCAN = 0xda
/** Markers without a length: the start, the end, and those between the pieces of a scan. */
const isAlone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd9)

/** Its segments up to the first scan, where a decoder begins with the picture, without bytes between them. */
function jpeg(sent: Buffer): BarePicture {
  const kept = new Kept(sent, JPEG_START_BYTES)
  let exif: Buffer | null = null
  let at = JPEG_START_BYTES
  while (at < sent.length) {
    const marker = markerFrom(sent, at)
    const code = sent[marker] ?? START_OF_SCAN
    at = marker - 1
    if (code === START_OF_SCAN) break
    const end = marker + 1 + (isAlone(code) ? 0 : lengthAt(sent, marker + 1))
    if (code !== APP1) kept.add(at, end)
    else if (sent.toString('latin1', marker + 3, marker + 7) === 'Exif') exif ??= sent.subarray(marker + 3, end)
    at = end
  }
  return { bytes: kept.withRest(at), exif }
}

/** Where the code of the next marker is, as a decoder searches for it: behind 0xff, past any bytes that are none; or the end. */
function markerFrom(sent: Buffer, from: number): number {
  let at = sent.indexOf(0xff, from)
  while (at >= 0) {
    while (sent[at] === 0xff) at++
    if (sent[at] !== 0) return at
    at = sent.indexOf(0xff, at)
  }
  return sent.length
}

/** Of a segment, with the two bytes of the length itself, which are there for a decoder also where it is less. */
const lengthAt = (sent: Buffer, at: number) => Math.max(2, at + 2 > sent.length ? 0 : sent.readUInt16BE(at))

/** Of `RIFF`, the size of all, and `WEBP`. */
const WEBP_HEAD_BYTES = 12
/** Type and size. */
const WEBP_CHUNK_BYTES = 8

/** Its EXIF becomes a chunk of a type that nobody knows: so the sizes stay. */
function webp(sent: Buffer): BarePicture {
  const bytes = Buffer.from(sent)
  let exif: Buffer | null = null
  let at = WEBP_HEAD_BYTES
  while (at + WEBP_CHUNK_BYTES < bytes.length) {
    const from = at + WEBP_CHUNK_BYTES
    const size = bytes.readUInt32LE(at + 4)
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'EXIF') {
      exif ??= sent.subarray(from, from + size)
      bytes.write('JUNK', at, 'latin1')
    }
    at = from + size + (size % 2)
  }
  return { bytes, exif }
}
