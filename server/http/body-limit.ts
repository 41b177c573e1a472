import { setTimeout as pause } from 'node:timers/promises'
import { JSON_BYTES } from '../../app/api/input.server.ts'
import { isUploadPath } from '../../app/request/upload-paths.ts'
import { PAGE_FORM_BYTES, PAGE_TEXT_READ } from '../../services/media/form.ts'
import { ALL_HAS_COME } from '../../services/media/multipart.ts'
import type { Pieces } from './body-pieces.ts'
import { contentTypeOf, FORM_WITH_FILES, REPORT } from './content-type.ts'
import { isApi } from './origin-guard.ts'
import type { Pace } from './read-pace.ts'
import type { BodyTaken } from './room/body.ts'

const KIB = 1024
const MIB = 1024 * KIB
const REPORT_BYTES = 16 * KIB
const FORM_BYTES = 256 * KIB
/** api-contract C71: at most 50 MB plus the form around them. */
const UPLOAD_BYTES = 52 * MIB

/**
 * The pace of a body: each next so many bytes come within so long, 512 a second. Whatever is slower, however fast it began,
 * only holds a connection and the room its files have taken. A phone may lose its network for most of that time.
 */
const PACE_BYTES = 15 * KIB
const PACE_MS = 30_000

const LIMITS: ReadonlyMap<string, number> = new Map([
  ['application/json', JSON_BYTES],
  [REPORT, REPORT_BYTES],
])

/** How a browser sends a form without files. */
export const PLAIN_FORM = 'application/x-www-form-urlencoded'

/** Of a page's plain form more is read than is taken, to be given back to whoever typed it. */
function limitOf(request: Request): number {
  const type = contentTypeOf(request)
  const { pathname } = new URL(request.url)
  if (type === FORM_WITH_FILES && isUploadPath(pathname)) return UPLOAD_BYTES
  if (type === FORM_WITH_FILES && !isApi(pathname)) return PAGE_FORM_BYTES
  if (type === PLAIN_FORM && !isApi(pathname)) return PAGE_TEXT_READ
  return LIMITS.get(type) ?? FORM_BYTES
}

/** Why a body was cut off; the answer's status. */
export type BodyVerdict = { status: 413 | 408 | 400 | 429 | null }

/**
 * `asked`: somebody begins to read the body; answers whether some of it is still to come. Whoever reads it has its end once
 * `beforeEnd` has resolved; with false nobody works on for it, since its sender is gone and as many wait without theirs.
 */
export type BodyTurns = { readonly asked: () => boolean; readonly beforeEnd: () => Promise<boolean> }

/** How a body is read, and what it takes meanwhile. */
export type BodyReading = {
  readonly pace: Pace
  readonly pieces: Pieces
  readonly turns: BodyTurns
  readonly room: Pick<BodyTaken, 'open' | 'whole' | 'take'>
  /** All of it has come: that its sender is gone ends nothing. */
  readonly isWhole: () => boolean
}

/**
 * The same request with a body that is read at its pace and ends in an error once it is too long, too slow, in too small
 * pieces or too much beside others, and the verdict on it. One that is cut off for others ends at once, and nobody works on
 * for it: its memory is theirs from then on.
 */
export function limitBody(
  request: Request,
  { pace, pieces, turns, room, isWhole }: BodyReading,
  now = () => performance.now(),
): { request: Request; verdict: BodyVerdict } {
  const verdict: BodyVerdict = { status: null }
  const limit = limitOf(request)
  if (Number(request.headers.get('Content-Length') ?? 0) > limit) verdict.status = 413
  if (!request.body || verdict.status) return { request, verdict }
  const isSlow = pacer(now)
  const cut = cutting(verdict)
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    start: cut.ends,
    async transform(chunk, controller) {
      received += chunk.byteLength
      if (received > limit) verdict.status = 413
      else if (pieces.tooSmall) verdict.status = 400
      else if (isSlow(chunk.byteLength)) verdict.status = 408
      else if (!room.take(chunk.byteLength)) return cut.off()
      if (verdict.status) return controller.error(new Error(CUT_OFF))
      controller.enqueue(chunk)
      const waitMs = pace(chunk.byteLength)
      if (waitMs > 0) await pause(waitMs)
    },
    async flush(controller) {
      room.whole()
      controller.enqueue(ALL_HAS_COME)
      if (!(await turns.beforeEnd())) cut.off()
    },
  })
  const body = askedFor(request.body.pipeThrough(counted), {
    asked() {
      if (turns.asked()) room.open(cut.off)
    },
    async beforeEnd() {
      if (!cut.signal.aborted) await turns.beforeEnd()
    },
    unwanted: () => room.whole(),
  })
  request.signal.addEventListener('abort', () => isWhole() || cut.left(request.signal.reason), { once: true })
  const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half', signal: cut.signal }
  return { request: new Request(request, init), verdict }
}

const CUT_OFF = 'The body was cut off.'

/**
 * Cuts a body off for others. `ends`: the stream that ends in an error; `left`: its sender is gone before its end; `signal`:
 * whoever works on it has no need to.
 */
function cutting(verdict: BodyVerdict) {
  const given = new AbortController()
  let stream: TransformStreamDefaultController<Uint8Array> | undefined
  return {
    signal: given.signal,
    ends(controller: TransformStreamDefaultController<Uint8Array>): void {
      stream = controller
    },
    left: (reason: unknown) => given.abort(reason),
    off(): void {
      verdict.status ??= 429
      // Without a reason it would make an error with its stack.
      given.abort(CUT_OFF)
      stream?.error(new Error(CUT_OFF))
    },
  }
}

type Reading = { readonly asked: () => void; readonly beforeEnd: () => Promise<void>; readonly unwanted: () => void }

/** The same stream, of which nothing is asked before somebody reads; its end may be that it breaks off or is not wanted any more. */
function askedFor(
  stream: ReadableStream<Uint8Array>,
  { asked, beforeEnd, unwanted }: Reading,
): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  const open = () => {
    asked()
    return stream.getReader()
  }
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= open()
        const { done, value } = await reader.read().catch(async (error) => {
          await beforeEnd()
          throw error
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        unwanted()
        await (reader ?? stream).cancel(reason)
        await beforeEnd()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Hears of bytes as they come, and answers whether they come too slowly. */
function pacer(now: () => number): (bytes: number) => boolean {
  let since = now()
  let received = 0
  return (bytes) => {
    received += bytes
    if (received < PACE_BYTES) return now() - since > PACE_MS
    since = now()
    received = 0
    return false
  }
}
