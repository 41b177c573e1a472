import { type FileTypeResult, fileTypeFromBuffer } from 'file-type'
import { MAX_MIB, type MediaPurpose } from '../../domain/shared/media.ts'
import type { SentFile } from './sealed-draft.ts'

export type MediaKind = 'image' | 'video' | 'audio'

/** What a visitor who has no account yet may upload (api-contract C71). */
export const SIGNUP_PURPOSES: readonly MediaPurpose[] = ['photo', 'avatar', 'voice']

/** What a gallery may name, and nothing else does. */
export const GALLERY_PURPOSES: readonly MediaPurpose[] = ['photo', 'avatar', 'voice']

/** What each purpose takes (api-contract C71). */
export const KINDS: Readonly<Record<MediaPurpose, readonly MediaKind[]>> = {
  photo: ['image', 'video'],
  avatar: ['image'],
  post: ['image', 'video'],
  story: ['image', 'video'],
  voice: ['audio'],
  chat: ['image', 'video', 'audio'],
  microbuzz: ['image'],
  'kyc-selfie': ['image'],
  'kyc-id': ['image'],
}

const MIB = 1024 * 1024
export const MAX_BYTES: Readonly<Record<MediaKind, number>> = {
  image: MAX_MIB.image * MIB,
  video: MAX_MIB.video * MIB,
  audio: MAX_MIB.audio * MIB,
}
/** api-contract C16 */
export const MICROBUZZ_MAX_BYTES = 2 * MIB
/** Of a file that comes before its purpose: what every purpose has room for. */
export const BEFORE_PURPOSE_BYTES = Math.min(MICROBUZZ_MAX_BYTES, ...Object.values(MAX_BYTES))
export const MAX_SECONDS = 60
export const MAX_VIDEO_SIDE_PX = 1280

/** Sealed in the store, never served, deleted at the decision (security T18). */
export const isKyc = (purpose: string): boolean => purpose.startsWith('kyc-')

/**
 * Why a file is not kept. `slow-down`: who sends it has sent as many as they may for now; `busy`: too many others were before it; `purpose-first`: it came before its purpose, and not every
 * purpose has room for it; `signup-full`: a visitor has uploaded as many as they
 * may; `storage-full`: there is no room for more of a member's, or of the visitors of one address.
 */
export type UploadRefusal =
  | 'slow-down'
  | 'upload-failed'
  | 'busy'
  | 'too-large'
  | 'purpose-first'
  | 'unsupported'
  | 'too-wide'
  | 'video-too-long'
  | 'voice-too-long'
  | 'storage-full'
  | 'signup-full'
/** `retryInMs`: how long to wait, where that helps. */
export type UploadError = { readonly ok: false; readonly reason: UploadRefusal; readonly retryInMs?: number }
export const failed: UploadError = { ok: false, reason: 'upload-failed' }
export const busy: UploadError = { ok: false, reason: 'busy' }
export const tooLarge: UploadError = { ok: false, reason: 'too-large' }
export const purposeFirst: UploadError = { ok: false, reason: 'purpose-first' }
export const signupFull: UploadError = { ok: false, reason: 'signup-full' }
export const storageFull: UploadError = { ok: false, reason: 'storage-full' }
export const unsupported: UploadError = { ok: false, reason: 'unsupported' }

/** Bytes that are enough to recognise the type of a file. */
export const HEAD_BYTES = 4100

/** `kinds` has two entries where only a look inside distinguishes video from audio. */
export type Sniffed = { mime: string; format: string; kinds: readonly MediaKind[] }

const ALLOWED: Readonly<Record<string, { format: string; kinds: readonly MediaKind[] }>> = {
  'image/jpeg': { format: 'jpeg', kinds: ['image'] },
  'image/png': { format: 'png', kinds: ['image'] },
  'image/webp': { format: 'webp', kinds: ['image'] },
  'image/gif': { format: 'gif', kinds: ['image'] },
  'video/mp4': { format: 'mp4', kinds: ['video', 'audio'] },
  'video/quicktime': { format: 'mov', kinds: ['video', 'audio'] },
  'video/webm': { format: 'webm', kinds: ['video', 'audio'] },
  'audio/mpeg': { format: 'mp3', kinds: ['audio'] },
  'audio/ogg': { format: 'ogg', kinds: ['audio'] },
  'audio/x-m4a': { format: 'mp4', kinds: ['audio'] },
  'audio/mp4': { format: 'mp4', kinds: ['audio'] },
}

/** The types of file that somebody takes. */
export const MEDIA_TYPES: readonly string[] = Object.keys(ALLOWED)

/** Tags before a file's own first bytes: what looks for its type begins anew behind each. A song has one, or two. */
const MOST_TAGS = 4

/** How many bytes stand there before what a file is: a tag of a song, or the mark of a text's encoding. */
function tagBytes(start: Buffer, at: number): number {
  if (start.toString('latin1', at, at + 3) === '\xef\xbb\xbf') return 3
  if (start.toString('latin1', at, at + 3) !== 'ID3' || at + 10 > start.length) return 0
  const [first = 0, second = 0, third = 0, last = 0] = start.subarray(at + 6, at + 10)
  // As `file-type` reads it, whatever the highest bits are.
  const bytes = (last & 127) | (third << 7) | (second << 14) | (first << 21)
  return bytes < 0 ? 0 : 10 + bytes
}

/** Where the file's own first bytes are, behind its tags; null behind too many. */
function behindTags(start: Buffer): number | null {
  let at = 0
  for (let tags = 0; tags <= MOST_TAGS; tags++) {
    const bytes = tagBytes(start, at)
    if (bytes === 0) return at
    at += bytes
  }
  return null
}

/** With which each type that is taken begins, as `file-type` looks for it: a song with eleven bits. */
const SIGNS = ['\xff\xd8\xff', '\x89PNG', 'GIF8', 'RIFF', '\x1aE\xdf\xa3', 'OggS']
const FIRST_BOXES: ReadonlySet<string> = new Set(['ftyp', 'free', 'mdat', 'moov', 'wide'])
const isSong = (start: Buffer, at: number) => start[at] === 0xff && ((start[at + 1] ?? 0) & 0xe0) === 0xe0

/** What else there is may be an archive, which would be opened, and again what is in it. */
function beginsAsTaken(start: Buffer): boolean {
  const at = behindTags(start)
  if (at === null) return false
  const first = start.toString('latin1', at, at + 8)
  const isKnown = SIGNS.some((sign) => first.startsWith(sign)) || FIRST_BOXES.has(first.slice(4)) || isSong(start, at)
  // Behind a tag that is longer than what was read it may be a song.
  return isKnown || (at > 0 && at >= start.length)
}

/**
 * By its first bytes alone, before any decoder sees them; null for everything else, whatever its name claims. What reads them
 * may go through all that it gets, byte by byte.
 */
export async function sniff(start: Uint8Array): Promise<Sniffed | null> {
  const head = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, HEAD_BYTES))
  return beginsAsTaken(head) ? allowed(await fileTypeFromBuffer(head).catch(none)) : null
}

/** The same for a file that is there. */
export async function sniffFile(sent: SentFile): Promise<Sniffed | null> {
  const file = await sent.open()
  try {
    return await sniff(await file.read(0, Math.min(HEAD_BYTES, sent.size)))
  } finally {
    await file.close()
  }
}

const none = () => undefined

function allowed(found: FileTypeResult | undefined): Sniffed | null {
  const mime = found?.mime.split(';')[0]
  const known = mime ? ALLOWED[mime] : undefined
  return mime && known ? { mime, ...known } : null
}

/** What the product draws itself. No file that is sent is taken for one. */
export const DRAWING: Sniffed = { mime: 'image/svg+xml', format: 'svg', kinds: ['image'] }

/** How many bytes such a file may have for the purpose, or for any; the refusal of one that is not taken for it. */
export function byteLimit(sniffed: Sniffed | null, purpose?: MediaPurpose): number | UploadError {
  const kinds = sniffed?.kinds.filter((kind) => !purpose || KINDS[purpose].includes(kind)) ?? []
  if (kinds.length === 0) return unsupported
  return purpose === 'microbuzz' ? MICROBUZZ_MAX_BYTES : Math.max(...kinds.map((kind) => MAX_BYTES[kind]))
}
