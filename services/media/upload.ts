import type { MediaPurpose } from '../../domain/shared/media.ts'
import type { NewMediaRow } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { randomId } from '../random-id.ts'
import type { MediaDraft, NewDraft } from './drafts.ts'
import { formsFor, type ProcessedForm } from './forms.ts'
import { byteLimit, DRAWING, sniffFile, tooLarge, type UploadError } from './kinds.ts'
import type { Picture } from './parse/images.ts'
import type { ParsedClip, ParsedPicture } from './parse/parsing.ts'
import type { Uploader } from './records.ts'
import type { SentFile } from './sealed-draft.ts'
import type { MediaWorkers } from './workers/workers.ts'

/**
 * `still`: a picture of a video, made by the page. `small`: of the forms and of the blurred twin only what is small is made at once;
 * the rest is owed, as it is for a picture of an earlier release. `drawn`: the file is an SVG of the product's own making.
 */
export type Upload = {
  readonly owner: Uploader
  readonly purpose: MediaPurpose
  readonly file: SentFile
  readonly still?: SentFile | undefined
  readonly small?: boolean
  readonly drawn?: boolean
}

/** A file for the store, and what is known about it. */
export type ProcessedFile = { row: NewMediaRow; content: Buffer | MediaDraft; forms: readonly ProcessedForm[] }
/** An upload after processing: the original first, then what was derived from it. */
export type Processed = { ok: true; files: readonly ProcessedFile[] }

/** Of a face in a list, and of a tile on a phone. */
const SMALL_SIDE = 320

type Parts = { now: Clock; newDraft: NewDraft; workers: MediaWorkers }

/** What a worker process makes of an upload. A clip's copy is a draft. */
export async function processUpload(
  upload: Upload,
  { now, newDraft, workers }: Parts,
): Promise<Processed | UploadError> {
  const { file, still, purpose, owner, small = false, drawn = false } = upload
  const sniffed = drawn ? DRAWING : await sniffFile(file)
  const limit = byteLimit(sniffed, purpose)
  if (typeof limit !== 'number') return limit
  if (!sniffed || file.size > limit) return tooLarge
  const draft = sniffed.kinds.includes('image') ? null : await newDraft()
  const parsed = await workers.parse(lineOf(owner), {
    file: file.sealed,
    still: still?.sealed ?? null,
    sniffed,
    purpose,
    ...(small && { only: SMALL_SIDE }),
    to: draft?.path ?? null,
  })
  if (!parsed.ok) return parsed
  const rows = rowsFor(upload, now())
  return { ok: true, files: 'picture' in parsed ? ofPicture(parsed, rows) : ofClip(parsed, rows, draft) }
}

/**
 * Who waits in one line. A visitor's proof costs one mail, so that one person may have many: visitors of one network wait
 * together (decision 0016).
 */
const lineOf = (owner: Uploader): string => ('member' in owner ? owner.member : owner.network)

type Rows = (
  part: Pick<NewMediaRow, 'kind' | 'mime'> & { content: Buffer | (MediaDraft & { size: number }) } & Partial<
      Omit<NewMediaRow, 'bytes'>
    >,
) => ProcessedFile

function rowsFor({ owner, purpose }: Upload, at: Date): Rows {
  return ({ content, ...part }) => ({
    content,
    forms: [],
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

function image(rows: Rows, picture: Picture, more: Partial<NewMediaRow> = {}): ProcessedFile {
  const { placeholder: _own, forms, ...drawn } = picture
  const file = rows({ kind: 'image', ...drawn, ...more })
  return { ...file, forms: formsFor(file.row.id, forms) }
}

function ofPicture({ picture, blurred }: ParsedPicture, rows: Rows): ProcessedFile[] {
  // Papers shown for verification have nothing beside them that shows what is on them.
  if (!blurred) return [image(rows, picture)]
  const { placeholder } = picture
  const original = image(rows, picture, { placeholder })
  const derived = image(rows, blurred, { placeholder, original_id: original.row.id })
  original.row.blurred_id = derived.row.id
  return [original, derived]
}

function ofClip({ clip, still }: ParsedClip, rows: Rows, draft: MediaDraft | null): ProcessedFile[] {
  if (!draft) throw new Error('A clip is copied into a draft.')
  const { size, ...part } = clip
  const original = rows({ ...part, content: { path: draft.path, size } })
  if (!still) return [original]
  const { placeholder } = still.picture
  const of = { placeholder, original_id: original.row.id }
  const [poster, blurred] = [image(rows, still.picture, of), image(rows, still.blurred, of)]
  Object.assign(original.row, { placeholder, poster_id: poster.row.id, blurred_id: blurred.row.id })
  return [original, poster, blurred]
}
