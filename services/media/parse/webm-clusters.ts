import type { OpenFile } from '../sealed-draft.ts'
import { headOf, MAX_HEAD_BYTES, MIN_HEAD_BYTES, VOID } from './ebml.ts'
import { EBML, INFO, TRACKS } from './webm-needed.ts'

export const CLUSTER = 0x1f43b675
const [SIMPLE_BLOCK, GROUP, BLOCK, ADDITIONS, MORE, CHECKSUM] = [0xa3, 0xa0, 0xa1, 0x75a1, 0xa6, 0xbf]

/** Places of other elements, cues, tags, chapters, attached files, and heads. */
const BESIDE = [0x114d9b74, 0x1c53bb6b, 0x1254c367, 0x1043a770, 0x1941a469, INFO, TRACKS]
/** A cluster of no known size ends where one of these begins, and so does one that claims more than it has. */
const OUTER = new Set([CLUSTER, EBML, 0x18538067, ...BESIDE])
const SKIPPED = new Set([VOID, ...BESIDE])

/** What lies in a cluster, and in its groups, by what it lies in. */
const WITHIN: ReadonlyMap<number, readonly number[]> = new Map([
  // Its time, place and the size of the one before, tracks that have nothing there, blocks alone and in groups.
  [CLUSTER, [0xe7, 0xa7, 0xab, 0x5854, SIMPLE_BLOCK, GROUP]],
  // A block, its time, what it refers to, what belongs to it, what is not played of it.
  [GROUP, [BLOCK, 0x9b, 0xfa, 0xfb, 0xfd, 0xa4, 0x8e, 0x75a2, ADDITIONS]],
  [ADDITIONS, [MORE]],
  [MORE, [0xa5, 0xee]],
])

const MAX_CLUSTERS = 20_000
/** Elements of all clusters, and frames of their blocks: whoever sends more than a minute by mistake learns that it is too long. */
const MAX_ELEMENTS = 400_000
/** The same in a cluster that has several frames in a block: whoever takes them apart moves the others for each. */
const MAX_LACED = 5_000

/** Heads lie close to each other, or a picture apart. */
const WINDOW_BYTES = 16 * 1024
/** Of an element and of a block in it: its track, time and flags, and how many frames. */
const LOOK_BYTES = MAX_HEAD_BYTES + 12

type Place = { readonly id: number; readonly at: number; readonly from: number; readonly to: number }
type Walk = { readonly look: (at: number) => Promise<Buffer>; clusters: number; elements: number; isLaced: boolean }

/**
 * Where the clusters end, and what lies beside them: at the end of the segment, or where nothing whole begins, from which a
 * parser would search on byte by byte. Throws where they have more than a parser should go through, or what is not theirs.
 */
export async function endOfPackets(file: OpenFile, first: number, limit: number): Promise<number> {
  const walk: Walk = { look: windowed(file, limit), clusters: 0, elements: 0, isLaced: false }
  for (let at = first; ; ) {
    const place = await placeAt(walk, at, limit)
    if (!place || !(place.id === CLUSTER || SKIPPED.has(place.id))) return at
    walk.clusters += 1
    if (walk.clusters > MAX_CLUSTERS) throw new Error('Too many clusters.')
    at = place.id === CLUSTER ? await endOfCluster(walk, place) : place.to
  }
}

async function endOfCluster(walk: Walk, cluster: Place): Promise<number> {
  const before = walk.elements
  walk.isLaced = false
  const end = await endOf(walk, cluster)
  if (walk.isLaced && walk.elements - before > MAX_LACED) throw new Error('Too many frames in a cluster.')
  return end
}

/** Where it ends, or nothing of it follows. */
async function endOf(walk: Walk, parent: Place): Promise<number> {
  for (let at = parent.from; ; ) {
    const child = await placeAt(walk, at, parent.to)
    if (!child || (parent.id === CLUSTER && OUTER.has(child.id))) return at
    if (!isWithin(parent, child)) throw new Error('An element in a place that is not its own.')
    const frames = child.id === SIMPLE_BLOCK || child.id === BLOCK ? lacedIn(await walk.look(at), child) : 0
    walk.isLaced ||= frames > 0
    walk.elements += 1 + frames
    if (walk.elements > MAX_ELEMENTS) throw new Error('Too many elements.')
    if (WITHIN.has(child.id)) await endOf(walk, child)
    at = child.to
  }
}

const isWithin = (parent: Place, { id }: Place) =>
  id === VOID || id === CHECKSUM || (WITHIN.get(parent.id)?.includes(id) ?? false)

/** Frames of a block of several; none where it has one. It begins with its track, a time of two bytes and flags. */
function lacedIn(bytes: Buffer, { at, from }: Place): number {
  const flags = from - at + Math.clz32(bytes[from - at] ?? 0) - 23 + 2
  return ((bytes[flags] ?? 0) & 0x06) === 0 ? 0 : (bytes[flags + 1] ?? 0) + 1
}

/** Null where no element is whole before `limit`; a cluster of no known size ends there. */
async function placeAt(walk: Walk, at: number, limit: number): Promise<Place | null> {
  if (at + MIN_HEAD_BYTES > limit) return null
  try {
    const { id, from, size } = headOf(await walk.look(at), at)
    const to = size === null && id === CLUSTER ? limit : from + (size ?? Number.POSITIVE_INFINITY)
    return to > limit ? null : { id, at, from, to }
  } catch {
    return null
  }
}

/** The bytes from a place on, as far as somebody looks. */
function windowed(file: OpenFile, limit: number): Walk['look'] {
  let start = 0
  let bytes: Buffer = Buffer.alloc(0)
  return async (at) => {
    const end = Math.min(at + LOOK_BYTES, limit)
    if (at < start || end > start + bytes.length) {
      start = at
      bytes = await file.read(at, Math.min(at + WINDOW_BYTES, limit))
    }
    return bytes.subarray(at - start, end - start)
  }
}
