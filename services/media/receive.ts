import { MEDIA_PURPOSES, type MediaPurpose } from '../../domain/shared/media.ts'
import type { NewDraft } from './drafts.ts'
import { type PurposeOf, type ReceivedForm, readUploadForm } from './form.ts'
import { BEFORE_PURPOSE_BYTES, failed, purposeFirst, SIGNUP_PURPOSES, type UploadError } from './kinds.ts'
import type { Uploader } from './records.ts'
import type { Upload } from './upload.ts'

/** `assumed`: what a file is for as long as the form names nothing else. */
type Asked = { owner: Uploader; purpose: MediaPurpose | undefined; assumed: MediaPurpose | undefined }

/**
 * The one file of a multipart body, as `file` or `selfie`, perhaps with a `still` (api-contract C71, C16). It is
 * refused by its purpose before it is read: of one whose purpose follows no more is kept than every purpose has room for.
 */
export async function receiveUpload(
  request: Request,
  { newDraft, ...asked }: Asked & { newDraft: NewDraft },
): Promise<{ ok: true; upload: Upload } | UploadError> {
  const purposeIn = (fields: FormData) => asked.purpose ?? purposeOf(fields.get('purpose'))
  const isAllowed = (purpose: MediaPurpose) => 'member' in asked.owner || SIGNUP_PURPOSES.includes(purpose)
  let isLate = false
  const purposeOfFile: PurposeOf = (name, fields) => {
    // A still is one picture, as an avatar is.
    if (name === 'still') return 'avatar'
    if (!asked.purpose && !fields.has('purpose')) {
      isLate = true
      return 'undecided'
    }
    const purpose = purposeIn(fields)
    return purpose && isAllowed(purpose) ? purpose : failed
  }
  const form = await readUploadForm(request, { purposeOf: purposeOfFile, newDraft, assumed: asked.assumed })
  if (!form.ok) return form
  const purpose = purposeIn(form.fields)
  const sent = filesIn(form)
  if (!purpose || !isAllowed(purpose) || !sent) return failed
  if (isLate && purpose !== asked.assumed && sent.file.size > BEFORE_PURPOSE_BYTES) return purposeFirst
  return { ok: true, upload: { owner: asked.owner, purpose, ...sent } }
}

/** Null unless there is one file and at most one still. */
function filesIn({ files }: ReceivedForm): Pick<Upload, 'file' | 'still'> | null {
  const kept = [...files].flatMap(([name, of]) => of.flatMap((file) => (file.ok ? [{ name, file }] : [])))
  const [one, ...more] = kept.filter(({ name }) => name !== 'still')
  const [still, ...others] = kept.filter(({ name }) => name === 'still')
  const isFile = one?.name === 'file' || one?.name === 'selfie'
  return isFile && more.length + others.length === 0 ? { file: one.file, still: still?.file } : null
}

/** A photo, unless the form names another purpose; null for one that nobody has. */
function purposeOf(value: FormDataEntryValue | null): MediaPurpose | null {
  return value === null || value === '' ? 'photo' : (MEDIA_PURPOSES.find((known) => known === value) ?? null)
}
