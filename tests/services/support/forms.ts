import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MediaPurpose } from '../../../domain/shared/media.ts'
import type { UploadLimit } from '../../../services/media/file-looks.ts'
import { type FormRead, readPageForm, readUploadForm } from '../../../services/media/form.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { tempDir } from '../../support/temp-dir.ts'

export const UPLOAD_URL = 'http://127.0.0.1/upload'
const BOUNDARY = 'b'
const HEADERS = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

type Part = { name: string; fileName?: string; head?: string; content: string | Uint8Array }

/** A part up to its content's end, as a browser writes it. */
export function part({ name, fileName, head = '', content }: Part): Buffer {
  const file = fileName === undefined ? '' : `; filename="${fileName}"`
  const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${head}\r\n`
  return Buffer.concat([Buffer.from(start), Buffer.from(content), Buffer.from('\r\n')])
}

export const file = (content: string | Uint8Array, name = 'file') => part({ name, fileName: 'a', content })
export const field = (name: string, content: string | Uint8Array) => part({ name, content })
export const END = Buffer.from(`--${BOUNDARY}--\r\n`)

/** A picture by its first bytes. */
export const TINY = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])

/** A multipart request with this body. */
export function sent(...body: readonly (string | Uint8Array)[]): Request {
  const bytes = new Uint8Array(Buffer.concat(body.map((piece) => Buffer.from(piece))))
  return new Request(UPLOAD_URL, { method: 'POST', headers: HEADERS, body: bytes })
}

/** A body that begins with `head` and whose further chunks come when asked for; notes how many were. */
export function streamed(head: Uint8Array, next: () => Uint8Array | null | Promise<Uint8Array | null>) {
  const seen = { chunks: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(head),
      pull: async (controller) => {
        seen.chunks++
        const chunk = await next()
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
      cancel: () => {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers: HEADERS, body, duplex: 'half' }
  return { request: new Request(UPLOAD_URL, init), seen }
}

/** A file part without its end. */
export const begun = (content: Uint8Array, name = 'file'): Buffer => file(content, name).subarray(0, -2)

/** Every file below a folder, as its bytes are on the disk. */
export function bytesOnDisk(root: string): Buffer[] {
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : []
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
}

/** The sizes of the drafts below a store's folder. */
export function draftsIn(root: string): number[] {
  try {
    const entries = readdirSync(join(root, 'drafts'), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  } catch {
    return []
  }
}

/** Nobody counts. */
export const FREELY: UploadLimit = { take: async () => null, giveBack: async () => undefined }

/** Reads forms of uploads and of pages, and lists which drafts there are. */
export function formsInStore() {
  const root = tempDir()
  const { withDrafts } = createFileStore(root, { own: 'own', isLeft: () => false })
  const upload = (request: Request, { purpose, idleMs }: { purpose?: MediaPurpose; idleMs?: number } = {}) =>
    withDrafts((newDraft) => {
      const purposeOf = () => purpose ?? ('undecided' as const)
      return readUploadForm(request, { purposeOf, newDraft, ...(idleMs && { idleMs }) })
    })
  const page = (request: Request, purposes: Record<string, MediaPurpose> = {}, idleMs?: number) =>
    withDrafts((newDraft) => readPageForm(request, { purposes, newDraft, uploads: FREELY, ...(idleMs && { idleMs }) }))
  return { upload, page, withDrafts, drafts: () => draftsIn(root) }
}

export const fieldsOf = (form: FormRead) => (form.ok ? [...form.fields] : form)
