import type { OpenFile } from '../sealed-draft.ts'
import { headOf, MAX_HEAD_BYTES, VOID, voidOf } from './ebml.ts'
import { type Patch, patched } from './patched.ts'
import { CLUSTER, endOfPackets } from './webm-clusters.ts'
import { EBML, INFO, neededOf, TRACKS } from './webm-needed.ts'

const SEGMENT = 0x18538067
/** Places of other elements, cues, tags, chapters, attached files, checksums. */
const SKIPPED = new Set([0x114d9b74, 0x1c53bb6b, 0x1254c367, 0x1043a770, 0x1941a469, 0xbf, VOID])

const MAX_ELEMENTS = 1_000
/** Of what is kept; a description of tracks has some hundreds of bytes, and a few thousand for Vorbis. */
const MAX_KEPT_BYTES = 64 * 1024

/** `to` is where it ends, or at most can. */
type Place = { readonly id: number; readonly from: number; readonly to: number; readonly isOpen: boolean }
type Kept = { readonly patches: Patch[]; readonly ids: Set<number>; bytes: number }

/**
 * What a parser may see of a WebM, before any does: the packets, what describes them before the first cluster, and nothing
 * else. Cues, and what leads to them, are void, whose numbers cost more than they save. Throws at any other element there.
 */
export async function readHead(file: OpenFile, fileBytes: number): Promise<{ file: OpenFile; size: number }> {
  const first = await elementAt(file, 0, fileBytes)
  const segment = await elementAt(file, first.to, fileBytes)
  if (first.id !== EBML || segment.id !== SEGMENT) throw new Error('No segment.')
  const kept: Kept = { patches: [], ids: new Set(), bytes: 0 }
  await keepAt(file, 0, first, kept)
  let at = segment.from
  for (let elements = 0; at < segment.to; elements++) {
    if (elements > MAX_ELEMENTS) throw new Error('Too many elements.')
    const element = await elementAt(file, at, segment.to)
    if (element.id === CLUSTER) break
    if (element.isOpen) throw new Error('An element without an end.')
    if (SKIPPED.has(element.id)) kept.patches.push({ at, bytes: voidOf(element.to - at) })
    else await keepAt(file, at, element, kept)
    at = element.to
  }
  if (!kept.ids.has(TRACKS)) throw new Error('No tracks before the packets.')
  // Behind the packets is nothing that describes them.
  return { file: patched(file, kept.patches), size: await endOfPackets(file, at, segment.to) }
}

/** Keeps of it what a clip needs. Throws at what is no part of a head, or there again. */
async function keepAt(file: OpenFile, at: number, { id, to }: Place, kept: Kept): Promise<void> {
  const isHead = id === EBML || id === INFO || id === TRACKS
  if (!isHead || kept.ids.has(id)) throw new Error('An element in a place that is not its own.')
  kept.ids.add(id)
  kept.bytes += to - at
  if (kept.bytes > MAX_KEPT_BYTES) throw new Error('Too large a head.')
  kept.patches.push({ at, bytes: neededOf(await file.read(at, to)) })
}

/**
 * Throws where it has no end before `limit`; one that claims none, such as a recorder's segment, ends there, and so does a
 * segment or a cluster that is cut off.
 */
async function elementAt(file: OpenFile, at: number, limit: number): Promise<Place> {
  const { id, from, size } = headOf(await file.read(at, Math.min(at + MAX_HEAD_BYTES, limit)), at)
  const isOuter = id === SEGMENT || id === CLUSTER
  const to = size === null || (isOuter && from + size > limit) ? limit : from + size
  if (to > limit) throw new Error('An element larger than what it lies in.')
  return { id, from, to, isOpen: size === null }
}
