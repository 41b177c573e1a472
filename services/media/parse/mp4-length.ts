import { type Box, boxesIn } from './mp4-boxes.ts'
import { leavesIn } from './mp4-needed.ts'

/** How long a file claims to be, and whether it claims to have pictures. */
export type Claimed = { readonly seconds: number; readonly isVideo: boolean }
export const NOTHING_CLAIMED: Claimed = { seconds: 0, isVideo: false }

/** In the head of a file or track; all ones stand for a length that is not known. */
const UNKNOWN_32 = 0xffffffff
const UNKNOWN_64 = 0xffffffffffffffffn

/**
 * The longest of what an index claims: in the heads of the file and of its pictures and sounds, and by the sums of their
 * samples. A file in fragments may claim nothing there, and is as long as its packets. Of tables that were checked.
 */
export function claimedBy(index: Buffer): Claimed {
  const claims = [...boxesIn(index)].filter(({ name }) => name === 'moov').flatMap(({ body }) => [...claimsIn(body)])
  return claims.reduce(longer, NOTHING_CLAIMED)
}

const longer = (one: Claimed, other: Claimed): Claimed => ({
  seconds: Math.max(one.seconds, other.seconds),
  isVideo: one.isVideo || other.isVideo,
})

function* claimsIn(moov: Buffer): Generator<Claimed> {
  for (const { name, body } of boxesIn(moov)) {
    if (name === 'mvhd') yield { seconds: inHead(body).seconds, isVideo: false }
    if (name === 'trak') yield ofTrack([...leavesIn(body)])
  }
}

/** Of one that is neither picture nor sound, nothing: nobody reads it. */
function ofTrack(leaves: readonly Box[]): Claimed {
  const bodies = (wanted: string) => leaves.filter(({ name }) => name === wanted).map(({ body }) => body)
  const kinds = bodies('hdlr').map((body) => body.toString('latin1', 8, 12))
  const [mdhd] = bodies('mdhd')
  if (!mdhd || !(kinds.includes('vide') || kinds.includes('soun'))) return NOTHING_CLAIMED
  const { seconds, scale } = inHead(mdhd)
  const sums = bodies('stts').map((body) => (scale > 0 ? sumOf(body) / scale : 0))
  return { seconds: Math.max(seconds, ...sums), isVideo: kinds.includes('vide') }
}

/** `mvhd` and `mdhd` alike have two dates, units of a second and their number, the dates and the number longer in version 1. */
function inHead(body: Buffer): { seconds: number; scale: number } {
  const isLong = body.readUInt8(0) === 1
  const scale = body.readUInt32BE(isLong ? 20 : 12)
  const units = isLong ? body.readBigUInt64BE(24) : body.readUInt32BE(16)
  const isKnown = scale > 0 && units !== UNKNOWN_32 && units !== UNKNOWN_64
  return { seconds: isKnown ? Number(units) / scale : 0, scale }
}

/** In units of the track's second. */
function sumOf(stts: Buffer): number {
  let units = 0
  for (let entry = 0; entry < stts.readUInt32BE(4); entry++)
    units += stts.readUInt32BE(8 + entry * 8) * stts.readUInt32BE(12 + entry * 8)
  return units
}
