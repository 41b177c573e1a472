import type { Opened } from '../../services/media/media.ts'

/** A file, or the part of it that was asked for, to somebody who may have it; nothing on the way keeps it. */
export async function mediaAnswer(
  { media, body, range, partial }: Extract<Opened, { ok: true }>,
  method = 'GET',
): Promise<Response> {
  const headers = new Headers({
    'Content-Type': media.mime,
    'Content-Length': String(range.end - range.start + 1),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
  })
  if (partial) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${media.bytes}`)
  const isHead = method === 'HEAD'
  if (isHead) await body.cancel()
  return new Response(isHead ? null : body, { status: partial ? 206 : 200, headers })
}
