import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { accepts, isCompressible } from './compression.ts'

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webm': 'video/webm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const IMMUTABLE = 'public, max-age=31536000, immutable'
const SHORT = 'public, max-age=3600'
/** A browser looks for another version of it with each page. */
const WORKER = 'service-worker.js'

type Variant = 'identity' | 'br' | 'gzip'
type File = { name: string; type: string; etag: string; bodies: Map<Variant, Promise<Uint8Array>> }

const shrink: Record<'br' | 'gzip', (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

async function listFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('.vite'))
  return files.map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}

async function open(directory: string, name: string): Promise<File> {
  const bytes = await readFile(path.join(directory, name))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const type = TYPES[path.extname(name)] ?? 'application/octet-stream'
  return { name, type, etag, bodies: new Map([['identity', Promise.resolve(bytes)]]) }
}

/** The bytes in one encoding, compressed once and kept. */
async function bodyOf(file: File, variant: Variant): Promise<Uint8Array> {
  const kept = file.bodies.get(variant)
  if (kept) return kept
  const made = bodyOf(file, 'identity').then((bytes) => (variant === 'identity' ? bytes : shrink[variant](bytes)))
  file.bodies.set(variant, made)
  return made
}

function headersOf(file: File, variant: Variant): Headers {
  const isWorker = file.name === WORKER
  const cache = isWorker ? 'no-cache' : file.name.startsWith(`assets${path.sep}`) ? IMMUTABLE : SHORT
  const headers = new Headers({ 'Content-Type': file.type, 'Cache-Control': cache, ETag: file.etag })
  if (isWorker) headers.set('Service-Worker-Allowed', '/')
  if (isCompressible(file.type)) headers.set('Vary', 'Accept-Encoding')
  if (variant !== 'identity') headers.set('Content-Encoding', variant)
  return headers
}

/** The kept bytes themselves: given to an answer as they are, they would be copied for each. */
const streamOf = (bytes: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })

/**
 * Serves the built files of one directory from memory. The list is read once, so that no request can name a path
 * outside it. Answers null when the path is no file.
 */
export async function createStaticFiles(
  directory: string,
): Promise<(request: Request, pathname: string) => Promise<Response | null>> {
  const names = await listFiles(directory)
  const files = new Map<string, File>()
  for (const name of names) files.set(`/${name.split(path.sep).join('/')}`, await open(directory, name))
  return async (request, pathname) => {
    const file = files.get(pathname)
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return null
    const variants: Variant[] = isCompressible(file.type) ? ['br', 'gzip'] : []
    const variant = variants.find((one) => one !== 'identity' && accepts(request, one)) ?? 'identity'
    const headers = headersOf(file, variant)
    if (request.headers.get('If-None-Match') === file.etag) return new Response(null, { status: 304, headers })
    const body = await bodyOf(file, variant)
    headers.set('Content-Length', String(body.byteLength))
    return new Response(request.method === 'HEAD' ? null : streamOf(body), { headers })
  }
}
