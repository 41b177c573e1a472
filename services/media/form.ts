import { byteLimit, failed, HEAD_BYTES, MAX_BYTES, sniff, tooLarge, type UploadError } from './kinds.ts'
import { type Part, readParts } from './multipart.ts'

/** A body that pauses for longer is cut off. */
const IDLE_MS = 30_000
const FIELD_BYTES = 64 * 1024
const MAX_PARTS = 20
/** The file, its still and the fields around them. */
const FORM_BYTES = MAX_BYTES.video + MAX_BYTES.image + FIELD_BYTES * 4

export type UploadForm = { ok: true; files: ReadonlyMap<string, Uint8Array>; fields: ReadonlyMap<string, string> }

/**
 * Reads a multipart body as it comes and cuts it off as soon as it is too large, too slow or of a type that nobody
 * takes. Only the first file of a name counts; file names are not looked at.
 */
export async function readUploadForm(
  request: Request,
  { idleMs = IDLE_MS }: { idleMs?: number } = {},
): Promise<UploadForm | UploadError> {
  const boundary = /^multipart\/form-data;.*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(
    request.headers.get('Content-Type') ?? '',
  )
  if (!boundary || !request.body) return failed()
  if (Number(request.headers.get('Content-Length') ?? 0) > FORM_BYTES) return tooLarge
  const chunks = timely(request.body, idleMs)
  const form = { ok: true as const, files: new Map<string, Uint8Array>(), fields: new Map<string, string>() }
  try {
    let parts = 0
    for await (const part of readParts(chunks, boundary[1] ?? boundary[2] ?? '')) {
      if (++parts > MAX_PARTS) return failed()
      const bytes = await collect(part)
      if (!(bytes instanceof Uint8Array)) return bytes
      if (!part.isFile) form.fields.set(part.name, Buffer.from(bytes).toString('utf8'))
      else if (bytes.length > 0 && !form.files.has(part.name)) form.files.set(part.name, bytes)
    }
    return form
  } catch {
    return failed()
  }
}

/** The part's bytes; a file's first ones decide how many it may have. */
async function collect(part: Part): Promise<Uint8Array | UploadError> {
  const chunks: Uint8Array[] = []
  let size = 0
  let limit = part.isFile ? undefined : FIELD_BYTES
  for await (const chunk of part.chunks) {
    chunks.push(chunk)
    size += chunk.length
    if (limit === undefined && size >= HEAD_BYTES) {
      const allowed = byteLimit(await sniff(Buffer.concat(chunks)))
      if (typeof allowed !== 'number') return allowed
      limit = allowed
    }
    if (limit !== undefined && size > limit) return tooLarge
  }
  return Buffer.concat(chunks)
}

/** The body's chunks; ends in an error when one is late, and lets go of the body whenever the reader stops. */
async function* timely(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    while (true) {
      const { done, value } = await withDeadline(reader.read(), idleMs)
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The body came too slowly.')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
