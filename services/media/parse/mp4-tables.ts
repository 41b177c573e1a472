import type { Box } from './mp4-boxes.ts'

/** Far more than a minute needs of a track. */
export const MAX_PACKETS = 20_000
/** Of a track whose samples are numbers: of a minute and a moment, of the finest that is recorded. */
const MAX_NUMBERS = 61 * 192_000
/** Bytes of an entry of the tables that begin with their count. */
const ENTRY_BYTES: Readonly<Record<string, number>> = {
  stts: 8,
  ctts: 8,
  stsc: 12,
  stco: 4,
  co64: 8,
  stss: 4,
  elst: 12,
}
const LONG_EDIT_BYTES = 20
/** Which fields each sample of a `trun` has, of four bytes each. */
const TRUN_FIELDS = 0xf00

type Table = Pick<Box, 'name' | 'body'>

/** Throws where a table promises more entries than its box has room for. `body` begins with version and flags. */
export function checkRoom({ name, body }: Table): void {
  const entryBytes = name === 'elst' && body.readUInt8(0) === 1 ? LONG_EDIT_BYTES : ENTRY_BYTES[name]
  if (entryBytes) refuseIf(countOf(body) * entryBytes > body.length - 8)
  if (name === 'stsz') refuseIf(listedIn({ name, body }) * 4 > body.length - 12)
  if (name === 'stz2') {
    const bits = body.readUInt8(7)
    refuseIf(bits < 4 || listedIn({ name, body }) * bits > (body.length - 12) * 8)
  }
  if (name === 'trun') {
    const fields = bitsOf(body.readUInt32BE(0) & TRUN_FIELDS)
    refuseIf(countOf(body) * fields * 4 > body.length - 8)
  }
}

/** Samples of the parts of a fragment, together. */
export const samplesOf = (leaves: readonly Table[]): number =>
  leaves.reduce((sum, { name, body }) => (name === 'trun' ? sum + countOf(body) : sum), 0)

/**
 * Whether a parser has more to go through for this track than a clip that may be sent has packets: entries, and samples where
 * it takes each by itself. Throws where chunks are counted in another order than upwards, or that are not there.
 */
export function isTooMuch(leaves: readonly Table[]): boolean {
  const bodies = (...names: string[]) => leaves.filter(({ name }) => names.includes(name)).map(({ body }) => body)
  const chunks = sum(bodies('stco', 'co64').map(countOf))
  const inChunks = bodies('stsc').flatMap((body) => [...chunksIn(body, Math.max(chunks, 1))])
  const listed = sum(leaves.map(listedIn))
  const [inTime, shifted] = [sum(bodies('stts').map(runsOf)), bodies('ctts')]
  const inAll = Math.max(inTime, ...bodies('stsz').map((body) => body.readUInt32BE(8)))
  const isOneSize = listed === 0 && bodies('stsz').length === 1 && bodies('stz2').length === 0
  const each = [
    chunks,
    listed,
    ...leaves.filter(({ name }) => ENTRY_BYTES[name]).map(({ body }) => countOf(body)),
    ...(isOneSize ? [] : inChunks),
    ...(shifted.length > 0 ? [inTime, sum(shifted.map(runsOf))] : []),
  ]
  return inAll > MAX_NUMBERS || each.some((count) => count > MAX_PACKETS)
}

const countOf = (body: Buffer) => body.readUInt32BE(4)

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** Sizes that each stand for themselves. */
function listedIn({ name, body }: Table): number {
  const isList = name === 'stz2' || (name === 'stsz' && body.readUInt32BE(4) === 0)
  return isList ? body.readUInt32BE(8) : 0
}

/** Samples of a table whose entries begin with how many each is about. */
function runsOf(body: Buffer): number {
  let samples = 0
  for (let entry = 0; entry < countOf(body); entry++) samples += body.readUInt32BE(8 + entry * 8)
  return samples
}

/** Samples in each chunk of a run. */
function* chunksIn(body: Buffer, chunks: number): Generator<number> {
  for (let entry = 0, last = 0; entry < countOf(body); entry++) {
    const first = body.readUInt32BE(8 + entry * 12)
    refuseIf(first <= last || first > chunks)
    last = first
    yield body.readUInt32BE(12 + entry * 12)
  }
}

const bitsOf = (flags: number) => [...flags.toString(2)].filter((bit) => bit === '1').length

function refuseIf(promisesTooMuch: boolean): void {
  if (promisesTooMuch) throw new Error('A table that promises more than there is.')
}
