import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { createGzip, gzip, constants as zlib } from 'node:zlib'

const TEXT =
  /^(text\/(html|css|plain|javascript|x-script)|application\/(json|javascript|manifest\+json)|image\/svg\+xml)/
const SMALL_BYTES = 1_000
const LEVEL = 5
const atOnce = promisify(gzip)

export function isCompressible(contentType: string | null): boolean {
  return TEXT.test(contentType ?? '')
}

export function accepts(request: Request, encoding: 'br' | 'gzip'): boolean {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(
    request.headers.get('Accept-Encoding') ?? '',
  )
}

/** What goes over the wire. */
export type Body = Uint8Array | ReadableStream<Uint8Array> | null

/**
 * The body of an answer, a text compressed for who takes that, with the headers that declare it added to the answer's
 * own: at once where its length is known, else as it comes, so that what streams still streams.
 */
export async function bodyFor(request: Request, response: Response): Promise<Body> {
  const { headers, body } = response
  if (!body || request.method === 'HEAD' || headers.has('Content-Encoding')) return body
  const length = headers.get('Content-Length')
  if (!isCompressible(headers.get('Content-Type')) || Number(length ?? SMALL_BYTES) < SMALL_BYTES) return body
  headers.append('Vary', 'Accept-Encoding')
  if (!accepts(request, 'gzip')) return body
  headers.set('Content-Encoding', 'gzip')
  if (length === null) return packedStream(body)
  const packed = await atOnce(await response.arrayBuffer(), { level: LEVEL })
  headers.set('Content-Length', String(packed.byteLength))
  return packed
}

function packedStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const source = Readable.fromWeb(body as NodeWebStream)
  const packed = createGzip({ level: LEVEL, flush: zlib.Z_SYNC_FLUSH })
  source.on('error', (error) => packed.destroy(error))
  packed.on('close', () => source.destroy())
  return Readable.toWeb(source.pipe(packed)) as unknown as ReadableStream<Uint8Array>
}
