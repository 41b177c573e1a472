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

/** Compresses a text answer: at once where its length is known, else as it comes, so that what streams still streams. */
export async function compress(request: Request, response: Response): Promise<Response> {
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
  headers.set('Content-Encoding', 'gzip')
  const { status, statusText } = response
  if (headers.has('Content-Length')) {
    const body = await atOnce(await response.arrayBuffer(), { level: LEVEL })
    headers.set('Content-Length', String(body.byteLength))
    return new Response(body, { status, statusText, headers })
  }
  const source = Readable.fromWeb(response.body as NodeWebStream)
  const packed = createGzip({ level: LEVEL, flush: zlib.Z_SYNC_FLUSH })
  source.on('error', (error) => packed.destroy(error))
  packed.on('close', () => source.destroy())
  const body = Readable.toWeb(source.pipe(packed)) as unknown as ReadableStream<Uint8Array>
  return new Response(body, { status, statusText, headers })
}
