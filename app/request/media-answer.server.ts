import type { MediaFiles } from '../../services/media/media.ts'
import type { Media } from '../../services/media/records.ts'

/** Pictures that a browser may keep, and must ask about each time (api-contract N8); nothing else is kept anywhere. */
const KEPT: ReadonlySet<Media['purpose']> = new Set(['photo', 'avatar', 'post'])
/** Why a file is not answered, in plain text. */
export const MEDIA_REFUSALS = {
  404: 'Not found',
  405: 'Method not allowed',
  416: 'Range not satisfiable',
  429: 'Too many requests',
} as const
const mayKeep = ({ kind, owner, purpose }: Media) => kind === 'image' && 'member' in owner && KEPT.has(purpose)

/**
 * A file, or the part of it that was asked for, to somebody who may have it: whoever calls has just asked the policy, also
 * for what the browser has already. Null when it is gone.
 */
export async function mediaAnswer(
  files: Pick<MediaFiles, 'open'>,
  media: Media,
  { method, headers: asked }: Request,
): Promise<Response | null> {
  const headers = new Headers({ 'Cache-Control': 'private, no-store' })
  // An id always stands for the same bytes.
  const etag = mayKeep(media) ? `"${media.id}"` : null
  if (etag) {
    headers.set('Cache-Control', 'private, no-cache')
    headers.set('ETag', etag)
    if (names(asked.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  }
  const ifRange = asked.get('If-Range')
  const opened = await files.open(media.id, ifRange === null || ifRange === etag ? asked.get('Range') : null)
  if (!opened.ok) return opened.reason === 'gone' ? null : unsatisfiable(media)
  const { body, range, partial } = opened
  headers.set('Content-Type', media.mime)
  headers.set('Content-Length', String(range.end - range.start + 1))
  headers.set('Accept-Ranges', 'bytes')
  if (partial) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${media.bytes}`)
  const isHead = method === 'HEAD'
  if (isHead) await body.cancel()
  return new Response(isHead ? null : body, { status: partial ? 206 : 200, headers })
}

/** Whether an `If-None-Match` names the entity; a weak comparison, as the header asks for. */
function names(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

function unsatisfiable({ bytes }: Media): Response {
  const headers = { 'Content-Type': 'text/plain', 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' }
  return new Response(MEDIA_REFUSALS[416], { status: 416, headers })
}
