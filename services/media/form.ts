import type { MediaPurpose } from '../../domain/shared/media.ts'
import { FORM_TEXT_BYTES } from '../../domain/shared/text.ts'
import type { NewDraft } from './drafts.ts'
import { COUNTED, type FileLooks, limitedLooks, type UploadLimit } from './file-looks.ts'
import { keepFile, type ReceivedFile } from './keep-file.ts'
import { failed, MAX_BYTES, tooLarge, type UploadError } from './kinds.ts'
import { type Caps, readParts } from './multipart.ts'
import { escapesText, textOf } from './utf-8.ts'

const PLAIN_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i
const KIB = 1024
const MIB = 1024 * KIB
const FIELD_BYTES = 64 * KIB
/** So much of a page's plain form is read, to be given back to whoever typed it; less of it is taken. */
export const PAGE_TEXT_READ = 384 * KIB
/** More than any form of a page sends: each takes time of the process that serves everybody. */
export const PAGE_FIELDS = 200
/** As many files as a member may upload in an hour (api-contract §6.2, UPLOAD). */
const PAGE_FILES = 40
/** Fields and files of a page's form that takes files. */
export const PAGE_PARTS = PAGE_FIELDS + PAGE_FILES
const IDLE_MS = 30_000
/** The file, its still and the fields around them. */
const UPLOAD_CAPS: Caps = {
  parts: 20,
  files: 4,
  fieldBytes: FIELD_BYTES,
  textBytes: FORM_TEXT_BYTES,
  bytes: MAX_BYTES.video + MAX_BYTES.image + MIB,
  idleMs: IDLE_MS,
}
const PAGE_CAPS: Caps = {
  ...UPLOAD_CAPS,
  parts: PAGE_PARTS,
  files: PAGE_FILES,
  fieldBytes: MIB,
  textBytes: MIB,
}
/** Of a page's multipart form that takes no file. */
export const PAGE_FORM_BYTES = MIB
const TEXT_CAPS: Caps = { ...PAGE_CAPS, parts: PAGE_FIELDS, bytes: PAGE_FORM_BYTES }

/** A form that was read; its files are drafts of whoever had it read. */
export type ReceivedForm = {
  readonly fields: FormData
  readonly files: ReadonlyMap<string, readonly ReceivedFile[]>
}
export type FormRead = ({ readonly ok: true } & ReceivedForm) | UploadError
/** `typed`: a form with too much text, and nothing else wrong. */
export type PageFormRead = FormRead | (UploadError & { readonly typed: FormData })

/** What a file is for, by its name and the fields before it. A refusal ends the reading; null passes the file over. */
export type PurposeOf = (name: string, fields: FormData) => MediaPurpose | 'undecided' | UploadError | null

const FILE_NAME_LENGTH = 80
type Sent = { name: string; file: ReceivedFile | null }
type Rules = {
  caps: Caps
  purposeOf: PurposeOf
  assumed?: MediaPurpose | undefined
  newDraft: NewDraft
  looks: FileLooks
  readOn: boolean
}

/**
 * Reads the form of one upload as it comes, and cuts it off as soon as it is too large, too slow or of a type that
 * nobody takes.
 */
export function readUploadForm(
  request: Request,
  { idleMs = IDLE_MS, ...rules }: Pick<Rules, 'purposeOf' | 'assumed' | 'newDraft'> & { idleMs?: number },
): Promise<FormRead> {
  return readForm(request, { ...rules, caps: { ...UPLOAD_CAPS, idleMs }, looks: COUNTED, readOn: false })
}

/** `uploads`: of whoever sends it, who has not been counted. */
type PageForm = {
  purposes: Readonly<Record<string, MediaPurpose>>
  uploads: UploadLimit
  newDraft: NewDraft
  idleMs?: number
}

/**
 * Reads the form of a page, of either encoding, with its files by name. A file that is not kept leaves the rest of the
 * form as it is; one of another name is passed over.
 */
export async function readPageForm(
  request: Request,
  { purposes, uploads, newDraft, idleMs = IDLE_MS }: PageForm,
): Promise<PageFormRead> {
  if (PLAIN_TYPE.test(request.headers.get('Content-Type') ?? '')) return readPlainForm(request)
  const known = new Map(Object.entries(purposes))
  const caps = { ...(known.size > 0 ? PAGE_CAPS : TEXT_CAPS), idleMs }
  const purposeOf = (name: string) => known.get(name) ?? null
  const form = await readForm(request, { caps, newDraft, purposeOf, looks: limitedLooks(uploads), readOn: true })
  return form.ok && isTooMuchText(form.fields) ? { ...tooLarge, typed: form.fields } : form
}

function isTooMuchText(fields: FormData): boolean {
  const bytes = [...fields.values()].map((value) => Buffer.byteLength(String(value)))
  return bytes.some((one) => one > FIELD_BYTES) || bytes.reduce((sum, one) => sum + one, 0) > FORM_TEXT_BYTES
}

/** The fields of a plain form; null for more than any form of a page sends. */
export function plainFields(text: string): URLSearchParams | null {
  // Some write a separator behind the last one.
  if (text.split('&', PAGE_FIELDS + 2).length > PAGE_FIELDS + 1) return null
  const fields = new URLSearchParams(text)
  return fields.size > PAGE_FIELDS ? null : fields
}

async function readPlainForm(request: Request): Promise<PageFormRead> {
  const text = textOf(Buffer.from(await request.arrayBuffer()))
  if (text === null) return failed
  if (text.length > PAGE_TEXT_READ) return tooLarge
  const sent = plainFields(text)
  if (!sent || !escapesText(text)) return failed
  const fields = new FormData()
  for (const [name, value] of sent) fields.append(name, value)
  if (text.length > FORM_TEXT_BYTES) return { ...tooLarge, typed: fields }
  return { ok: true, fields, files: new Map() }
}

async function readForm(request: Request, { caps, purposeOf, ...rules }: Rules): Promise<FormRead> {
  const fields = new FormData()
  // In the order of the body, whichever is whole first.
  const sent: Sent[] = []
  const refusal = await readParts(request, caps, {
    field(name, value) {
      const text = textOf(value)
      if (text === null) return failed
      fields.append(name, text)
      return null
    },
    async file(name, chunks, fileName) {
      const purpose = purposeOf(name, fields)
      if (purpose === null) return passOver(chunks)
      if (typeof purpose === 'object') return purpose
      const one: Sent = { name, file: null }
      sent.push(one)
      const file = await keepFile(chunks, { ...rules, purpose: purpose === 'undecided' ? undefined : purpose })
      one.file = file && { ...file, fileName: fileName.slice(0, FILE_NAME_LENGTH) }
      return file?.ok === false && !rules.readOn ? file : null
    },
  })
  return refusal ?? { ok: true, fields, files: byName(sent) }
}

function byName(sent: readonly Sent[]): ReadonlyMap<string, ReceivedFile[]> {
  const files = new Map<string, ReceivedFile[]>()
  for (const { name, file } of sent) if (file) files.set(name, [...(files.get(name) ?? []), file])
  return files
}

async function passOver(chunks: AsyncIterable<Uint8Array>): Promise<null> {
  for await (const _ of chunks);
  return null
}
