import type { Sharp } from 'sharp'

const PREFIX = 'Exif\0\0'
const ORIENTATION = 0x0112
const [SHORT, LONG] = [3, 4]
const ENTRY_BYTES = 12
export const UPRIGHT = 1

/**
 * How a picture lies, 1 to 8 (the tag `Orientation` of EXIF), by the first directory of its EXIF alone: whatever that refers to is not
 * looked at, since it may refer to itself. Upright where it has none.
 */
export function orientationIn(exif: Buffer): number {
  const tiff = exif.toString('latin1', 0, PREFIX.length) === PREFIX ? exif.subarray(PREFIX.length) : exif
  const read = readerOf(tiff)
  if (!read) return UPRIGHT
  const first = read.long(4)
  const entries = read.short(first)
  for (let entry = 0; entry < entries; entry++) {
    const at = first + 2 + entry * ENTRY_BYTES
    if (at + ENTRY_BYTES > tiff.length) return UPRIGHT
    if (read.short(at) === ORIENTATION) return oneOfEight(valueAt(read, at))
  }
  return UPRIGHT
}

type Reader = { readonly short: (at: number) => number; readonly long: (at: number) => number }

/** Null for what is no TIFF. What is beyond its end is zero. */
function readerOf(tiff: Buffer): Reader | null {
  const order = tiff.toString('latin1', 0, 4)
  if (order !== 'II*\0' && order !== 'MM\0*') return null
  const isLittle = order.startsWith('I')
  const of = (at: number, bytes: number) => {
    if (at + bytes > tiff.length) return 0
    return isLittle ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes)
  }
  return { short: (at) => of(at, 2), long: (at) => of(at, 4) }
}

function valueAt(read: Reader, at: number): number {
  const type = read.short(at + 2)
  if (type === SHORT) return read.short(at + 8)
  return type === LONG ? read.long(at + 8) : UPRIGHT
}

const oneOfEight = (value: number) => (value >= 1 && value <= 8 ? value : UPRIGHT)

export const isOnItsSide = (orientation: number): boolean => orientation > 4

type Turn = { readonly flip?: true; readonly flop?: true; readonly degrees?: 90 | 180 | 270 }
/** By orientation, what makes a picture upright: it is mirrored (`flip`: top to bottom), and turned after that. */
const TURNS: Readonly<Record<number, Turn>> = {
  2: { flop: true },
  3: { degrees: 180 },
  4: { flip: true },
  5: { flip: true, degrees: 90 },
  6: { degrees: 90 },
  7: { flip: true, degrees: 270 },
  8: { degrees: 270 },
}

export function uprightFrom(picture: Sharp, orientation: number): Sharp {
  const { flip = false, flop = false, degrees = 0 } = TURNS[orientation] ?? {}
  return picture.flip(flip).flop(flop).rotate(degrees)
}
