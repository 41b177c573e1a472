import type { OpenFile } from '../sealed-draft.ts'
import { boxesIn, headerOf, isBox } from './mp4-boxes.ts'
import { endPatch } from './mp4-end.ts'
import { type Claimed, claimedBy, NOTHING_CLAIMED } from './mp4-length.ts'
import { keepNeeded, leavesIn } from './mp4-needed.ts'
import { checkRoom, isTooMuch, MAX_PACKETS, samplesOf } from './mp4-tables.ts'
import { type Patch, patched } from './patched.ts'

const KIB = 1024
/** Of an index and all fragments' together; that of a minute is far smaller. */
const MAX_INDEX_BYTES = 8 * KIB * KIB
/** Boxes side by side: fragments and what they hold, each of which is looked up in the file. */
const MAX_BOXES = 20_000
/** In all fragments: whoever sends more than a minute by mistake learns that it is too long. */
const MAX_IN_FRAGMENTS = 10 * MAX_PACKETS

export type Mp4 = {
  /** With an index of what a clip needs, and nothing else. */
  readonly file: OpenFile
  readonly claimed: Claimed
  /** Whether it has more for a parser than a clip of a minute has. */
  readonly isTooMuch: boolean
}

type Found = { readonly patches: Patch[]; claimed: Claimed | null; isTooMuch: boolean; bytes: number; samples: number }

/**
 * What a parser may see of an MP4, before any does: it takes memory and time by what the index promises. Throws where a table
 * has no room for what it promises, or a box none for itself.
 */
export async function readIndex(file: OpenFile, fileBytes: number): Promise<Mp4> {
  const found: Found = { patches: [], claimed: null, isTooMuch: false, bytes: 0, samples: 0 }
  let boxes = 0
  for (let at = 0; at + 8 <= fileBytes; boxes++) {
    if (boxes > MAX_BOXES) throw new Error('Too many boxes.')
    const left = fileBytes - at
    const header = await file.read(at, Math.min(at + 16, fileBytes))
    // What follows is no box: a parser looks no further either.
    if (!isBox(header)) break
    const { name, size } = headerOf(header, left)
    if (name === 'moov' || name === 'moof') {
      found.bytes += size
      if (size > left || found.bytes > MAX_INDEX_BYTES) throw new Error('Too large an index.')
      const index = Buffer.from(await file.read(at, at + size))
      if (keepNeeded(index)) found.patches.push({ at, bytes: index })
      if (name === 'moov') takeIndex(index, found)
      else takeFragment(index, found)
    }
    at += size
  }
  const patches = [...found.patches, ...(await endPatch(file, fileBytes))]
  return { file: patched(file, patches), claimed: found.claimed ?? NOTHING_CLAIMED, isTooMuch: found.isTooMuch }
}

function takeIndex(index: Buffer, found: Found): void {
  if (found.claimed) throw new Error('A second index.')
  const boxes = [...boxesIn(index)].flatMap(({ body }) => [...boxesIn(body)])
  const tracks = boxes.filter(({ name }) => name === 'trak').map(({ body }) => [...leavesIn(body)])
  for (const table of tracks.flat()) checkRoom(table)
  found.claimed = claimedBy(index)
  found.isTooMuch = tracks.map(isTooMuch).includes(true)
}

function takeFragment(fragment: Buffer, found: Found): void {
  const tables = [...leavesIn(fragment)]
  tables.forEach(checkRoom)
  found.samples += samplesOf(tables)
  if (found.samples > MAX_IN_FRAGMENTS) throw new Error('Fragments that promise more than a clip has.')
}
