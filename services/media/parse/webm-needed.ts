import { elementsIn, headOf, MAX_HEAD_BYTES, voidOf } from './ebml.ts'

export const EBML = 0x1a45dfa3
export const INFO = 0x1549a966
export const TRACKS = 0x1654ae6b
const TRACK = 0xae
const [VIDEO, COLOUR, PROJECTION, AUDIO] = [0xe0, 0x55b0, 0x7670, 0xe1]
/** How a track's packets are packed or encrypted: WebM has no other use for it. */
const ENCODINGS = 0x6d80

/** How many tracks a clip may describe; most have two. */
const MAX_TRACKS = 32

/**
 * The elements that a clip needs, by what they lie in: the kind and version of the file, the units of its time, and of its
 * tracks what decodes them. Whatever else is there, such as names, cues and places of other elements, no parser sees.
 */
const NEEDED: ReadonlyMap<number, readonly number[]> = new Map([
  [EBML, [0x4286, 0x42f7, 0x4282, 0x4287]],
  [INFO, [0x2ad7b1]],
  [TRACKS, [TRACK]],
  // Number, kind, whether it is to be played, codec, its description, time of a frame.
  [TRACK, [0xd7, 0x83, 0xb9, 0x88, 0x86, 0x63a2, 0x23e383, VIDEO, AUDIO]],
  // Sides, as they are and as they are shown; a second layer for what is transparent.
  [VIDEO, [0xb0, 0xba, 0x54b0, 0x54ba, 0x54b2, 0x53c0, COLOUR, PROJECTION]],
  [COLOUR, [0x55b1, 0x55b9, 0x55ba, 0x55bb]],
  [PROJECTION, [0x7673, 0x7674, 0x7675]],
  [AUDIO, [0xb5, 0x9f, 0x6264]],
])

/**
 * The element without anything in it that no clip needs: as many bytes, in the same places otherwise. Throws where one goes
 * on beyond what it lies in, or stands there again.
 */
export function neededOf(element: Buffer): Buffer {
  const kept = Buffer.from(element)
  const { id, from } = headOf(kept.subarray(0, MAX_HEAD_BYTES), 0)
  keep(kept, { id, from, to: kept.length })
  return kept
}

function keep(bytes: Buffer, parent: { id: number; from: number; to: number }): void {
  const times = new Map<number, number>()
  for (const child of elementsIn(bytes, parent)) {
    const { id, at, to } = child
    if (id === ENCODINGS) throw new Error('A track that is packed or encrypted.')
    if (!NEEDED.get(parent.id)?.includes(id)) {
      voidOf(to - at).copy(bytes, at)
      continue
    }
    times.set(id, (times.get(id) ?? 0) + 1)
    if (times.get(id)! > (id === TRACK ? MAX_TRACKS : 1)) throw new Error('An element that is there again.')
    if (NEEDED.has(id)) keep(bytes, child)
  }
}
