import { JSON_BYTES } from '../../app/api/input.server.ts'
import { PAGE_TEXT_READ } from '../../services/media/form.ts'
import { contentTypeOf } from './content-type.ts'
import { isApi } from './origin-guard.ts'

const KIB = 1024
const MIB = 1024 * KIB
const REPORT_BYTES = 16 * KIB
const FORM_BYTES = 256 * KIB
/** api-contract C71: at most 50 MB plus the form around them. */
const UPLOAD_BYTES = 52 * MIB

/** A body that trickles in slower than this after the grace time only holds a connection. */
const SLOW_BYTES_PER_SECOND = 512
const SLOW_GRACE_MS = 20_000

/** How a browser sends a form with files. */
export const FORM_WITH_FILES = 'multipart/form-data'

const LIMITS: ReadonlyMap<string, number> = new Map([
  [FORM_WITH_FILES, UPLOAD_BYTES],
  ['application/json', JSON_BYTES],
  ['application/csp-report', REPORT_BYTES],
])

/** How a browser sends a form without files. */
export const PLAIN_FORM = 'application/x-www-form-urlencoded'

/** Of a page's plain form more is read than is taken, to be given back to whoever typed it. */
function limitOf(request: Request): number {
  const type = contentTypeOf(request)
  if (type === PLAIN_FORM && !isApi(new URL(request.url).pathname)) return PAGE_TEXT_READ
  return LIMITS.get(type) ?? FORM_BYTES
}

/** Why a body was cut off; the answer's status. */
export type BodyVerdict = { status: 413 | 408 | null }

/** The same request with a body that ends in an error once it is too long or too slow, and the verdict on it. */
export function limitBody(request: Request): { request: Request; verdict: BodyVerdict } {
  const verdict: BodyVerdict = { status: null }
  const limit = limitOf(request)
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) verdict.status = 413
  if (!request.body || verdict.status) return { request, verdict }
  const startedAt = performance.now()
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength
      const elapsed = performance.now() - startedAt
      const slow = elapsed > SLOW_GRACE_MS && received < (elapsed / 1000) * SLOW_BYTES_PER_SECOND
      if (received > limit) verdict.status = 413
      else if (slow) verdict.status = 408
      if (verdict.status) controller.error(new Error('The body was cut off.'))
      else controller.enqueue(chunk)
    },
  })
  const init: RequestInit & { duplex: 'half' } = { body: request.body.pipeThrough(counted), duplex: 'half' }
  return { request: new Request(request, init), verdict }
}
