import type { OpenFile } from '../sealed-draft.ts'
import { type Patch, patched } from './patched.ts'

const [EBML, SEGMENT, CLUSTER, VOID] = [0x1a45dfa3, 0x18538067, 0x1f43b675, 0xec]
const [INFO, TRACKS] = [0x1549a966, 0x1654ae6b]
/** Places of other elements, cues, tags, chapters, attached files, checksums. */
const SKIPPED = new Set([0x114d9b74, 0x1c53bb6b, 0x1254c367, 0x1043a770, 0x1941a469, 0xbf, VOID])

const MAX_ELEMENTS = 1_000
/** Of what is kept; a description of tracks has some hundreds of bytes, and a few thousand for Vorbis. */
const MAX_KEPT_BYTES = 64 * 1024
/** An identity of four bytes and a size of eight. */
const MAX_HEAD_BYTES = 12

type Element = { readonly id: number; readonly from: number; readonly to: number; readonly isOpen: boolean }

/**
 * What a parser may see of a WebM, before any does: the packets, what describes them before the first cluster, and nothing
 * else. Cues, and what leads to them, are void, whose numbers cost more than they save. Throws at any other element there.
 */
export async function readHead(file: OpenFile, fileBytes: number): Promise<{ file: OpenFile; size: number }> {
  const first = await elementAt(file, 0, fileBytes)
  const segment = await elementAt(file, first.to, fileBytes)
  if (first.id !== EBML || segment.id !== SEGMENT) throw new Error('No segment.')
  const patches: Patch[] = []
  const kept = new Set<number>()
  let keptBytes = first.to
  for (let at = segment.from, elements = 0; at < segment.to; elements++) {
    if (elements > MAX_ELEMENTS) throw new Error('Too many elements.')
    const { id, to, isOpen } = await elementAt(file, at, segment.to)
    if (id === CLUSTER) break
    if (isOpen) throw new Error('An element without an end.')
    if (SKIPPED.has(id)) patches.push({ at, bytes: voidOf(to - at) })
    else if ((id !== INFO && id !== TRACKS) || kept.has(id))
      throw new Error('An element in a place that is not its own.')
    else {
      kept.add(id)
      keptBytes += to - at
    }
    at = to
  }
  if (keptBytes > MAX_KEPT_BYTES) throw new Error('Too large a head.')
  // Behind a segment is nothing of it.
  return { file: patched(file, patches), size: segment.to }
}

/** The head of an element of so many bytes that nobody looks into. */
function voidOf(bytes: number): Buffer {
  if (bytes <= 8) return Buffer.of(VOID, 0x80 | (bytes - 2))
  const head = Buffer.alloc(9)
  head.writeBigUInt64BE((1n << 56n) | BigInt(bytes - 9), 1)
  head[0] = VOID
  return head
}

/**
 * Throws where it has no end before `limit`; one that claims none, such as a recorder's segment, ends there, and so does a
 * segment or a cluster that is cut off.
 */
async function elementAt(file: OpenFile, at: number, limit: number): Promise<Element> {
  const bytes = await file.read(at, Math.min(at + MAX_HEAD_BYTES, limit))
  const idBytes = widthAt(bytes, 0)
  const sizeBytes = widthAt(bytes, idBytes)
  if (idBytes > 4) throw new Error('No element.')
  const id = bytes.readUIntBE(0, idBytes)
  const from = at + idBytes + sizeBytes
  const size = numberIn(bytes.subarray(idBytes, idBytes + sizeBytes))
  const isOpen = size === null
  const isOuter = id === SEGMENT || id === CLUSTER
  const to = isOpen || (isOuter && from + size > limit) ? limit : from + size
  if (to > limit) throw new Error('An element larger than what it lies in.')
  return { id, from, to, isOpen }
}

/** How many bytes a number of this kind has: as many as zeros before its first bit, and one. */
function widthAt(bytes: Buffer, at: number): number {
  const width = Math.clz32(bytes.readUInt8(at)) - 23
  if (width > 8 || at + width > bytes.length) throw new Error('No number.')
  return width
}

/** Null for the one that stands for no end: all bits, in one byte or eight. */
function numberIn(bytes: Buffer): number | null {
  const all = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n) - (1n << BigInt(bytes.length * 7))
  const isOpen = (bytes.length === 1 || bytes.length === 8) && all === (1n << BigInt(bytes.length * 7)) - 1n
  return isOpen ? null : Number(all)
}
