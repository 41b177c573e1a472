import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { createGzip, constants as zlib } from 'node:zlib'

const TEXT =
  /^(text\/(html|css|plain|javascript|x-script)|application\/(json|javascript|manifest\+json)|image\/svg\+xml)/
const SMALL_BYTES = 1_000

export function isCompressible(contentType: string | null): boolean {
  return TEXT.test(contentType ?? '')
}

export function accepts(request: Request, encoding: 'br' | 'gzip'): boolean {
  return new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(
    request.headers.get('Accept-Encoding') ?? '',
  )
}

/** Compresses a text answer on the fly, flushing as it goes so that a streamed page still streams. */
export function compress(request: Request, response: Response): Response {
  const { headers } = response
  if (!response.body || request.method === 'HEAD' || headers.has('Content-Encoding')) return response
  if (
    !isCompressible(headers.get('Content-Type')) ||
    Number(headers.get('Content-Length') ?? SMALL_BYTES) < SMALL_BYTES
  ) {
    return response
  }
  headers.append('Vary', 'Accept-Encoding')
  if (!accepts(request, 'gzip')) return response
  headers.delete('Content-Length')
  headers.set('Content-Encoding', 'gzip')
  const source = Readable.fromWeb(response.body as NodeWebStream)
  const gzip = createGzip({ level: 5, flush: zlib.Z_SYNC_FLUSH })
  source.on('error', (error) => gzip.destroy(error))
  gzip.on('close', () => source.destroy())
  const body = Readable.toWeb(source.pipe(gzip)) as unknown as ReadableStream<Uint8Array>
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}
