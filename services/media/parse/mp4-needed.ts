import { type Box, boxAt, boxesIn } from './mp4-boxes.ts'

/** Of an index; that of a clip has some dozens. */
const MAX_BOXES = 50_000
/** Ways in which one track is written down; most have one. */
const MAX_ENTRIES = 16

/**
 * The boxes that a clip needs, by what they lie in. `vide` and `soun`: an entry of the description of such a track. Whatever
 * else is there, such as dates, places, groups and encryption, no parser sees.
 */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  moov: ['mvhd', 'trak', 'mvex'],
  trak: ['tkhd', 'edts', 'mdia'],
  edts: ['elst'],
  mdia: ['mdhd', 'hdlr', 'minf'],
  minf: ['stbl'],
  stbl: ['stsd', 'stts', 'ctts', 'stsc', 'stsz', 'stz2', 'stco', 'co64', 'stss'],
  vide: ['avcC', 'hvcC', 'vpcC', 'av1C', 'colr', 'pasp', 'btrt'],
  soun: ['esds', 'wave', 'enda', 'pcmC', 'dOps', 'dfLa', 'dac3', 'dec3', 'ddts', 'btrt'],
  wave: ['esds', 'enda'],
  mvex: ['mehd', 'trex'],
  moof: ['mfhd', 'traf'],
  traf: ['tfhd', 'tfdt', 'trun'],
}
/** How often each may lie in the same box; all others once. */
const MANY: Readonly<Record<string, number>> = { trak: 32, trex: 32, colr: 4, traf: 32, trun: MAX_BOXES }

/** Bytes of an entry before its boxes, behind its head: of pictures, and of sounds by the version of QuickTime. */
const PICTURE_BYTES = 78
const SOUND_BYTES = 28
const MORE_SOUND_BYTES: Readonly<Record<number, number>> = { 1: 16, 2: 36 }

type Seen = { boxes: number; blanked: boolean }

/**
 * Makes free space of all boxes of an index, or of a fragment's, that no clip needs: the same bytes in the same places
 * otherwise. Throws where a box goes on beyond what it lies in, or stands there again. Answers whether there was any.
 */
export function keepNeeded(index: Buffer): boolean {
  const seen = { boxes: 0, blanked: false }
  for (const { name, body } of boxesIn(index)) keep(body, name, '', seen)
  return seen.blanked
}

/** The boxes of a clean index that hold no others. */
export function* leavesIn(bytes: Buffer): Generator<Box> {
  for (const box of boxesIn(bytes)) {
    if (NEEDED[box.name]) yield* leavesIn(box.body)
    else yield box
  }
}

/** `kind`: of the track that this is part of. */
function keep(bytes: Buffer, parent: string, kind: string, seen: Seen): void {
  if (parent === 'moof') refuseTwice(bytes)
  const times = new Map<string, number>()
  for (const box of boxesIn(bytes)) {
    const { name, body } = box
    seen.boxes += 1
    if (seen.boxes > MAX_BOXES) throw new Error('Too many boxes.')
    const ofTrack = name === 'trak' ? kindOf(body) : kind
    if (!NEEDED[parent]?.includes(name) || (name === 'trak' && !ofTrack)) {
      blank(box)
      seen.blanked = true
      continue
    }
    times.set(name, (times.get(name) ?? 0) + 1)
    if (times.get(name)! > (MANY[name] ?? 1)) throw new Error('A box that is there again.')
    if (name === 'stsd') keepEntries(body, kind, seen)
    else if (NEEDED[name]) keep(body, name, ofTrack, seen)
  }
}

/** Throws where a fragment has a track again: a parser sorts all of its samples anew each time. */
function refuseTwice(moof: Buffer): void {
  const tracks = inside(inside([moof], 'traf'), 'tfhd').map((tfhd) => tfhd.readUInt32BE(4))
  if (new Set(tracks).size < tracks.length) throw new Error('A track that is there again.')
}

function blank({ whole, body }: Box): void {
  whole.write('free', 4, 'latin1')
  body.fill(0)
}

/** Whether a track is of pictures, `vide`, or of sounds, `soun`; empty for all that nobody reads. */
function kindOf(trak: Buffer): string {
  const [hdlr] = inside(inside([trak], 'mdia'), 'hdlr')
  const kind = hdlr?.toString('latin1', 8, 12) ?? ''
  return kind === 'vide' || kind === 'soun' ? kind : ''
}

const inside = (bodies: readonly Buffer[], wanted: string): Buffer[] =>
  bodies.flatMap((body) => [...boxesIn(body)].filter(({ name }) => name === wanted).map((box) => box.body))

/** Each entry is a box whose own boxes come behind fields. */
function keepEntries(stsd: Buffer, kind: string, seen: Seen): void {
  const count = stsd.readUInt32BE(4)
  if (count > MAX_ENTRIES) throw new Error('Too many ways of writing a track.')
  for (let entry = 0, at = 8; entry < count; entry++) {
    const { whole, body } = boxAt(stsd, at)
    const fields = kind === 'vide' ? PICTURE_BYTES : soundFields(stsd, body)
    if (fields > body.length) throw new Error('An entry smaller than its fields.')
    keep(body.subarray(fields), kind, kind, seen)
    at += whole.length
  }
}

/** A description with a version is none of QuickTime's. */
const soundFields = (stsd: Buffer, entry: Buffer) =>
  SOUND_BYTES + (stsd.readUInt8(0) === 0 ? (MORE_SOUND_BYTES[entry.readUInt16BE(8)] ?? 0) : 0)
