import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { MediaRow } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { randomId } from '../random-id.ts'
import type { MediaDraft, NewDraft } from './drafts.ts'
import { blur, neutralPicture, type Picture, processImage } from './images.ts'
import {
  byteLimit,
  failed,
  isKyc,
  KINDS,
  MAX_BYTES,
  type Sniffed,
  sniffFile,
  tooLarge,
  type UploadError,
  unsupported,
} from './kinds.ts'
import type { MediaOwner } from './records.ts'
import type { SentFile } from './sealed-draft.ts'

/** `still`: a picture of a video, made by the page. */
export type Upload = { owner: MediaOwner; purpose: MediaPurpose; file: SentFile; still?: SentFile | undefined }

/** A file for the store, and what is known about it. */
export type ProcessedFile = { row: MediaRow; content: Buffer | MediaDraft }
/** An upload after processing: the original first, then what was derived from it. */
export type Processed = { ok: true; files: readonly ProcessedFile[] }

/**
 * Nothing of what was sent is kept as it was: pictures are drawn anew, clips copied packet by packet (ruling R31). A
 * clip's copy is a draft.
 */
export async function processUpload(upload: Upload, now: Clock, newDraft: NewDraft): Promise<Processed | UploadError> {
  const { file, purpose } = upload
  const sniffed = await sniffFile(file)
  const limit = byteLimit(sniffed, purpose)
  if (typeof limit !== 'number') return limit
  if (!sniffed || file.size > limit) return tooLarge
  const rows = rowsFor(upload, now())
  const draft = sniffed.kinds.includes('image') ? null : await newDraft()
  try {
    return draft ? await clip(upload, sniffed, rows, draft) : await picture(upload, sniffed, rows)
  } catch {
    return failed
  }
}

type Rows = (
  part: Pick<MediaRow, 'kind' | 'mime'> & { content: Buffer | (MediaDraft & { size: number }) } & Partial<
      Omit<MediaRow, 'bytes'>
    >,
) => ProcessedFile

function rowsFor({ owner, purpose }: Upload, at: Date): Rows {
  return ({ content, ...part }) => ({
    content,
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
      bytes: 'path' in content ? content.size : content.length,
    },
  })
}

async function picture({ file, purpose }: Upload, sniffed: Sniffed, rows: Rows): Promise<Processed> {
  const drawn = await processImage(await file.bytes(), sniffed, purpose)
  if (isKyc(purpose)) {
    const { placeholder: _none, ...bare } = drawn
    return { ok: true, files: [rows({ kind: 'image', ...bare })] }
  }
  const original = rows({ kind: 'image', ...drawn })
  const blurred = rows({ kind: 'image', ...(await blur(drawn)), original_id: original.row.id })
  original.row.blurred_id = blurred.row.id
  return { ok: true, files: [original, blurred] }
}

async function clip(upload: Upload, sniffed: Sniffed, rows: Rows, draft: MediaDraft): Promise<Processed | UploadError> {
  // Large, and most uploads are pictures.
  const { processClip } = await import('./clips.ts')
  const copied = await processClip(upload.file, sniffed, draft.path)
  if (!copied.ok) return copied
  const { ok: _ok, size, ...part } = copied
  if (!KINDS[upload.purpose].includes(part.kind)) return unsupported
  if (upload.file.size > MAX_BYTES[part.kind]) return tooLarge
  const original = rows({ ...part, content: { path: draft.path, size } })
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
  const sniffed = await sniffFile(still)
  if (!sniffed?.kinds.includes('image') || still.size > MAX_BYTES.image) return null
  return processImage(await still.bytes(), sniffed, 'post')
}
