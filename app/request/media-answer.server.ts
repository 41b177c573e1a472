import { formFor, type MediaForm, type StoredFile } from '../../services/media/forms.ts'
import type { MediaFiles } from '../../services/media/media.ts'
import type { Media } from '../../services/media/records.ts'

type Stored = { readonly media: Media; readonly forms: readonly MediaForm[] }

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

/** What is to be answered: a file of the store, as large and of the type that the request asks for. */
export function askedFile({ media, forms }: Stored, { url, headers }: Request): StoredFile {
  const side = /^\d{1,4}$/.exec(new URL(url).searchParams.get('w') ?? '')?.[0]
  return formFor(media, forms, {
    side: side === undefined ? null : Number(side),
    avif: takesAvif(headers.get('Accept')),
  })
}

/**
 * A file, or the part of it that was asked for, to somebody who may have it: whoever calls has just asked the policy, also
 * for what the browser has already.
 */
export function mediaAnswer(files: Pick<MediaFiles, 'openFile'>, stored: Stored, request: Request): Response {
  const { method, headers: asked } = request
  const file = askedFile(stored, request)
  const headers = new Headers({ 'Cache-Control': 'private, no-store' })
  if (stored.media.kind === 'image') headers.set('Vary', 'Accept')
  // A file always has the same bytes, and no two names of files show that one was made from the other.
  const etag = mayKeep(stored.media) ? `"${file.file}"` : null
  if (etag) {
    headers.set('Cache-Control', 'private, no-cache')
    headers.set('ETag', etag)
    if (names(asked.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers })
  }
  const ifRange = asked.get('If-Range')
  const opened = files.openFile(file, ifRange === null || ifRange === etag ? asked.get('Range') : null)
  if (!opened) return unsatisfiable(file)
  const { body, range, partial } = opened
  headers.set('Content-Type', file.mime)
  headers.set('Content-Length', String(range.end - range.start + 1))
  headers.set('Accept-Ranges', 'bytes')
  if (partial) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  const isHead = method === 'HEAD'
  if (isHead) void body.cancel()
  return new Response(isHead ? null : body, { status: partial ? 206 : 200, headers })
}

/** Named, for a browser that takes anything may know nothing of it; `q=0` is a refusal. */
const takesAvif = (accept: string | null): boolean =>
  (accept ?? '')
    .split(',')
    .some((range) => /^\s*image\/avif\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))

/** Whether an `If-None-Match` names the entity; a weak comparison, as the header asks for. */
function names(header: string | null, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

function unsatisfiable({ bytes }: StoredFile): Response {
  const headers = { 'Content-Type': 'text/plain', 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' }
  return new Response(MEDIA_REFUSALS[416], { status: 416, headers })
}
