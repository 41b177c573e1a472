import { box, uint32 } from './hostile-clips.ts'

// Small clips whose index is in order box by box, and has a parser go through thousands of millions of entries.

const HUGE = 0xffffffff
const MANY_TIMES = 2_000
const zeros = (count: number) => Buffer.alloc(count)
const MATRIX = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const SOUND = box('ftyp', Buffer.from('M4A \0\0\0\0M4A isom', 'latin1'))
const PICTURE = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'))
const ESDS = Buffer.from('0380808022000100048080801440150000000001f4000001f40005808080021210068080800102', 'hex')

export const entryOf = (name: string, ...inner: readonly Buffer[]) =>
  box(name, zeros(7), Buffer.of(1), zeros(8), uint32(0x00020010, 0, 48_000 * 0x10000), ...inner)
const mp4a = (...inner: readonly Buffer[]) => entryOf('mp4a', box('esds', uint32(0), ESDS), ...inner)
const description = (...entries: readonly Buffer[]) => box('stsd', uint32(0, entries.length), ...entries)

export function trackOf(kind: string, ...tables: readonly Buffer[]): Buffer {
  const head = box('tkhd', uint32(3, 0, 0, 1, 0, 1000, 0, 0, 0, 0x01000000), MATRIX, uint32(0, 0))
  const handler = box('hdlr', uint32(0, 0), Buffer.from(kind), zeros(13))
  const time = box('mdhd', uint32(0, 0, 0, 48_000, 48_000, 0x55c40000))
  return box('trak', head, box('mdia', time, handler, box('minf', box('stbl', ...tables))))
}

/** Four samples of four bytes. */
const TABLES = [
  box('stts', uint32(0, 1, 4, 1024)),
  box('stsc', uint32(0, 1, 1, 4, 1)),
  box('stsz', uint32(0, 1, 4)),
  box('stco', uint32(0, 1, 0)),
]

type Parts = { readonly moov: readonly Buffer[]; readonly tail?: readonly Buffer[]; readonly kind?: Buffer }
export function clipOf({ moov, tail = [], kind = SOUND }: Parts): Buffer {
  const head = box('mvhd', uint32(0, 0, 0, 1000, 1000, 0x10000, 0x01000000, 0, 0), MATRIX, zeros(24), uint32(2))
  return Buffer.concat([kind, box('moov', head, ...moov), ...tail, box('mdat', zeros(64))])
}

/** A good clip, with more boxes in its index. */
export const soundOf = (...more: readonly Buffer[]) => soundWith([], ...more)

/** The same, and more tables of its track. */
export const soundWith = (tables: readonly Buffer[], ...more: readonly Buffer[]) =>
  clipOf({ moov: [trackOf('soun', description(mp4a()), ...TABLES, ...tables), ...more] })

/** The one entry that the description promises lies behind it, and tables of its own in that. */
const beside = (...tables: readonly Buffer[]) =>
  clipOf({ moov: [trackOf('soun', box('stsd', uint32(0, 1)), mp4a(box('stbl', ...tables)), ...TABLES)] })

/** The same box again and again, each of as many samples as the file has bytes. */
function again(make: (samples: number) => Buffer): Buffer {
  return make(make(1).length)
}

function runsOfTime(samples: number): Buffer {
  const times = Array.from({ length: MANY_TIMES }, () => box('stts', uint32(0, 1, samples, 1)))
  const shifts = box('ctts', uint32(0, 1, 1, 0))
  return clipOf({ moov: [trackOf('soun', description(mp4a()), ...times, shifts, ...TABLES.slice(1))] })
}

function runsOfFragment(samples: number): Buffer {
  const runs = Array.from({ length: MANY_TIMES }, () => box('trun', uint32(0, samples)))
  return fragmentOf(box('traf', box('tfhd', uint32(0x020000, 1)), box('tfdt', uint32(0, 0)), ...runs))
}

/** A sound all of whose samples are in a fragment of these parts. */
function fragmentOf(...parts: readonly Buffer[]): Buffer {
  const empty = [
    box('stts', uint32(0, 0)),
    box('stsc', uint32(0, 0)),
    box('stsz', uint32(0, 0, 0)),
    box('stco', uint32(0, 0)),
  ]
  const fragments = box('mvex', box('trex', uint32(0, 1, 1, 1024, 1, 0)))
  return clipOf({
    moov: [trackOf('soun', description(mp4a()), ...empty), fragments],
    tail: [box('moof', box('mfhd', uint32(0, 1)), ...parts)],
  })
}

/** A track that is there again and again, each time with all samples of before. */
function fragmentAgain(): Buffer {
  const start = box('tfhd', uint32(0x020000, 1))
  const first = box('traf', start, box('trun', uint32(0, 190_000)))
  return fragmentOf(first, ...Array<Buffer>(24_000).fill(box('traf', start)))
}

/** A run of chunks that begins far behind the last one. */
function gapOfChunks(): Buffer {
  const chunks = box('stsc', uint32(0, 2, 1, 1, 1, HUGE, 1, 1))
  const [, , sizes, places] = TABLES as [Buffer, Buffer, Buffer, Buffer]
  const tables = [description(entryOf('twos')), box('stts', uint32(0, 1, 4, 0)), chunks, sizes, places]
  return clipOf({ moov: [trackOf('soun', ...tables)] })
}

/** Samples that all lie in one chunk of as many as the file has bytes: whoever looks for one goes through all. */
function fullChunk(): Buffer {
  const samples = 1_000
  const bytes = 4_000_000
  const tables = [
    box('stts', uint32(0, 1, samples, 1)),
    box('stsc', uint32(0, 1, 1, bytes, 1)),
    box('stsz', uint32(0, 0, samples), zeros(samples * 4)),
    box('stco', uint32(0, 1, 0)),
  ]
  return clipOf({ moov: [trackOf('soun', description(mp4a()), ...tables)], tail: [box('free', zeros(bytes))] })
}

/** Each is refused, or costs no more than a good clip. */
export const HIDDEN: Readonly<Record<string, () => Buffer>> = {
  'shifts of time in an entry behind its description': () =>
    beside(box('ctts', uint32(0, 3, HUGE, 0, HUGE, 0, HUGE, 0))),
  'a run of time in an entry behind its description': () =>
    beside(box('stts', uint32(0, 1, HUGE, 1)), box('ctts', uint32(0, 1, 1, 0))),
  'keys without a size': () => soundOf(box('meta', uint32(0), box('keys', uint32(0, HUGE, 0, 0)))),
  'keys of encryption': () => soundOf(box('pssh', uint32(0x01000000), zeros(16), uint32(HUGE), uint32(0))),
  'a gap of chunks': gapOfChunks,
  'a full chunk': fullChunk,
  'many tables of time': () => again(runsOfTime),
  'many parts of a fragment': () => again(runsOfFragment),
  'a track again and again in a fragment': fragmentAgain,
}

/** A track with so many ways of being written, each a box of this name, which a parser warns of. */
export function warningClip(entries: number, name: string): Buffer {
  const entry = box(name, zeros(78))
  return clipOf({
    moov: [trackOf('vide', description(...Array<Buffer>(entries).fill(entry)), ...TABLES)],
    kind: PICTURE,
  })
}
