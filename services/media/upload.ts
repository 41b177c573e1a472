import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { MediaRow } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { randomId } from '../random-id.ts'
import { blur, neutralPicture, type Picture, processImage } from './images.ts'
import {
  failed,
  isKyc,
  KINDS,
  MAX_BYTES,
  maxBytes,
  type Sniffed,
  sniff,
  tooLarge,
  type UploadError,
  unsupported,
} from './kinds.ts'
import type { MediaOwner } from './records.ts'

/** `still`: a picture of a video, made by the page. */
export type Upload = { owner: MediaOwner; purpose: MediaPurpose; file: Uint8Array; still?: Uint8Array | undefined }

/** An upload after processing: the original first, then what was derived from it. */
export type Processed = { ok: true; files: readonly { row: MediaRow; bytes: Buffer }[] }

/** Nothing of what was sent is kept as it was: pictures are drawn anew, clips copied packet by packet (ruling R31). */
export async function processUpload(upload: Upload, now: Clock): Promise<Processed | UploadError> {
  const { file, purpose } = upload
  const sniffed = await sniff(file)
  if (!sniffed?.kinds.some((kind) => KINDS[purpose].includes(kind))) return unsupported
  if (file.length > maxBytes(purpose, sniffed.kinds)) return tooLarge
  const rows = rowsFor(upload, now())
  try {
    return sniffed.kinds.includes('image') ? await picture(upload, sniffed, rows) : await clip(upload, sniffed, rows)
  } catch {
    return failed()
  }
}

type Rows = (part: Pick<MediaRow, 'kind' | 'mime'> & { bytes: Buffer } & Partial<Omit<MediaRow, 'bytes'>>) => {
  row: MediaRow
  bytes: Buffer
}

function rowsFor({ owner, purpose }: Upload, at: Date): Rows {
  return ({ bytes, ...part }) => ({
    bytes,
    row: {
      id: randomId(),
      owner: 'member' in owner ? owner.member : null,
      proof: 'proof' in owner ? owner.proof : null,
      purpose,
      width: null,
      height: null,
      seconds: null,
      placeholder: null,
      blurred_id: null,
      poster_id: null,
      original_id: null,
      created_at: at,
      attached_at: null,
      deleted_at: null,
      ...part,
      bytes: bytes.length,
    },
  })
}

async function picture({ file, purpose }: Upload, sniffed: Sniffed, rows: Rows): Promise<Processed> {
  const drawn = await processImage(file, sniffed, purpose)
  if (isKyc(purpose)) {
    const { placeholder: _none, ...bare } = drawn
    return { ok: true, files: [rows({ kind: 'image', ...bare })] }
  }
  const original = rows({ kind: 'image', ...drawn })
  const blurred = rows({ kind: 'image', ...(await blur(drawn)), original_id: original.row.id })
  original.row.blurred_id = blurred.row.id
  return { ok: true, files: [original, blurred] }
}

async function clip(upload: Upload, sniffed: Sniffed, rows: Rows): Promise<Processed | UploadError> {
  // Large, and most uploads are pictures.
  const { processClip } = await import('./clips.ts')
  const copied = await processClip(upload.file, sniffed)
  if (!copied.ok) return failed(copied.error)
  const { ok: _ok, ...part } = copied
  if (!KINDS[upload.purpose].includes(part.kind)) return unsupported
  if (upload.file.length > MAX_BYTES[part.kind]) return tooLarge
  const original = rows(part)
  if (part.kind === 'audio') return { ok: true, files: [original] }
  const poster = await posterOf(upload, part.width ?? 0, part.height ?? 0)
  if (!poster) return unsupported
  const still = rows({ kind: 'image', ...poster, original_id: original.row.id })
  const blurred = rows({ kind: 'image', ...(await blur(poster)), original_id: original.row.id })
  Object.assign(original.row, {
    placeholder: poster.placeholder,
    poster_id: still.row.id,
    blurred_id: blurred.row.id,
  })
  return { ok: true, files: [original, still, blurred] }
}

/** Null for a still that is no picture. */
async function posterOf({ still }: Upload, width: number, height: number): Promise<Picture | null> {
  if (!still) return neutralPicture(width, height)
  const sniffed = await sniff(still)
  if (!sniffed?.kinds.includes('image') || still.length > MAX_BYTES.image) return null
  return processImage(still, sniffed, 'post')
}
