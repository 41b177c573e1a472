/**
 * What a packet carries beside the picture: user data of an encoder or a camera, such as where it was (security T18). The
 * bytes of the picture stay as they are.
 */
export type Strip = (packet: Uint8Array) => Uint8Array

type Units = { readonly keeps: (firstByte: number) => boolean }

/** H.264: slices, parameter sets and delimiters; no SEI, filler or unspecified units. */
const AVC: Units = { keeps: (byte) => [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13, 14, 15, 19, 20, 21].includes(byte & 0x1f) }
/** HEVC: slices, parameter sets and delimiters; no SEI, filler, reserved or unspecified units. */
const HEVC: Units = { keeps: (byte) => ((byte >> 1) & 0x3f) <= 37 }
/** AV1, by the type of an OBU: sequence and frame headers, tiles and delimiters; no metadata, no padding. */
const KEPT_OBUS = new Set([1, 2, 3, 4, 6, 7])

/** For the packets of a video track; `description` is its decoder's. Null where nothing can be in them. */
export function stripFor(codec: string, description: Uint8Array | undefined): Strip | null {
  if (codec === 'av1') return stripObus
  if (codec !== 'avc' && codec !== 'hevc') return null
  const units = codec === 'avc' ? AVC : HEVC
  if (!description) return (packet) => joined(annexUnits(packet), units, () => START_CODE)
  const bytes = ((description[codec === 'avc' ? 4 : 21] ?? 3) & 3) + 1
  return (packet) => joined(prefixedUnits(packet, bytes), units, (unit) => bigEndian(unit.length, bytes))
}

const START_CODE = Uint8Array.of(0, 0, 0, 1)

/** Of a packet: a picture may have a unit for each piece of it that a network carries. */
const MAX_UNITS = 1_000

function joined(all: Iterable<Uint8Array>, { keeps }: Units, before: (unit: Uint8Array) => Uint8Array): Uint8Array {
  const kept = [...fewOf(all)].filter((unit) => unit.length > 0 && keeps(unit[0]!))
  if (kept.length === 0) throw new Error('A packet without a picture.')
  return Buffer.concat(kept.flatMap((unit) => [before(unit), unit]))
}

/** Each takes more memory than its bytes. */
function* fewOf(units: Iterable<Uint8Array>): Generator<Uint8Array> {
  let count = 0
  for (const unit of units) {
    count += 1
    if (count > MAX_UNITS) throw new Error('Too many units.')
    yield unit
  }
}

function bigEndian(value: number, bytes: number): Uint8Array {
  const out = Buffer.alloc(bytes)
  out.writeUIntBE(value, 0, bytes)
  return out
}

/** Units that each follow their length. */
function* prefixedUnits(packet: Uint8Array, bytes: number): Generator<Uint8Array> {
  const view = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
  for (let at = 0; at < view.length; ) {
    const from = at + bytes
    if (from > view.length) throw new Error('A packet that ends in a length.')
    at = from + view.readUIntBE(at, bytes)
    if (at > view.length) throw new Error('A unit longer than its packet.')
    yield view.subarray(from, at)
  }
}

/** Units that each follow a start code. */
function* annexUnits(packet: Uint8Array): Generator<Uint8Array> {
  const view = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength)
  const code = Buffer.of(0, 0, 1)
  for (let at = view.indexOf(code); at >= 0; ) {
    const next = view.indexOf(code, at + 3)
    const end = next < 0 ? view.length : next
    // The zero before a start code of four bytes is the code's.
    yield view.subarray(at + 3, next > 0 && view[end - 1] === 0 ? end - 1 : end)
    at = next
  }
}

/** Without the units of AV1 that no decoder needs. */
export function stripObus(packet: Uint8Array): Uint8Array {
  return Buffer.concat([...fewOf(obus(packet))].filter(([header = 0]) => KEPT_OBUS.has((header >> 3) & 15)))
}

/** Units that each declare their own length, but for the last. */
function* obus(packet: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < packet.length; ) {
    const header = packet[at]!
    const body = at + 1 + ((header >> 2) & 1)
    const sized = (header & 2) !== 0
    const [length, from] = sized ? leb128(packet, body) : [packet.length - body, body]
    const end = from + length
    if (end > packet.length) throw new Error('A unit longer than its packet.')
    yield packet.subarray(at, end)
    at = end
  }
}

/** The value, and where it ends. */
function leb128(bytes: Uint8Array, at: number): [number, number] {
  let value = 0
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return [value, at + index + 1]
  }
  throw new Error('A length without an end.')
}
