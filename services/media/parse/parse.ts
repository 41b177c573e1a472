import { failed, isKyc, KINDS, MAX_BYTES, sniffFile, tooLarge, type UploadError, unsupported } from '../kinds.ts'
import { openSealed } from '../sealed-draft.ts'
import { blur } from './blurring.ts'
import { neutralPicture, type Picture, processImage } from './images.ts'
import type { Parsed, ParsedClip, ParsedPicture, Parsing } from './parsing.ts'

/**
 * Nothing of what was sent is kept as it was: pictures are drawn anew, clips copied packet by packet (ruling R31). Runs in
 * a worker process, since what a hostile file does to a parser ends with it.
 */
export async function parseMedia(parsing: Parsing): Promise<Parsed> {
  try {
    return parsing.to === null ? await picture(parsing) : await clip(parsing, parsing.to)
  } catch {
    return failed
  }
}

async function picture({ file, sniffed, purpose, only }: Parsing): Promise<ParsedPicture> {
  const drawn = await processImage(await openSealed(file).bytes(), sniffed, purpose, only)
  return { ok: true, picture: drawn, blurred: isKyc(purpose) ? null : await blur(drawn, only) }
}

async function clip(parsing: Parsing, to: string): Promise<ParsedClip | UploadError> {
  const { file, sniffed, purpose } = parsing
  // Large, and most uploads are pictures.
  const { processClip } = await import('./clips.ts')
  const copied = await processClip(openSealed(file), sniffed, to)
  if (!copied.ok) return copied
  if (!KINDS[purpose].includes(copied.clip.kind)) return unsupported
  if (file.size > MAX_BYTES[copied.clip.kind]) return tooLarge
  if (copied.clip.kind === 'audio') return { ...copied, still: null }
  const still = await stillOf(parsing, copied.clip.width ?? 0, copied.clip.height ?? 0)
  return still ? { ...copied, still: { picture: still, blurred: await blur(still, parsing.only) } } : unsupported
}

/** Null for a still that is no picture. */
async function stillOf({ still, only }: Parsing, width: number, height: number): Promise<Picture | null> {
  if (!still) return neutralPicture(width, height)
  const file = openSealed(still)
  const sniffed = await sniffFile(file)
  if (!sniffed?.kinds.includes('image') || file.size > MAX_BYTES.image) return null
  return processImage(await file.bytes(), sniffed, 'post', only)
}
