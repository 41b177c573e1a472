import { bearerTokenOf } from '../../../app/request/address-limit.server.ts'
import { mediaAnswer } from '../../../app/request/media-answer.server.ts'
import { proofTokenOf, sessionTokenOf } from '../../../app/request/session-cookie.server.ts'
import { retryAfter } from '../../../app/words/unavailable.ts'
import { ID_PATTERN } from '../../../domain/shared/id-pattern.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { findAccountState } from '../../../projections/accounts/queries.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import { mayFetchMedia } from '../../../projections/view/access.ts'
import { networkOf } from '../../../services/limits/network.ts'
import type { Media } from '../../../services/media/records.ts'
import type { Services } from '../../../usecases/ports.ts'
import { isUploadOf } from '../../../usecases/register/uploads.ts'
import type { RawHandler } from '../handler.ts'

type MediaServices = Pick<Services, 'limits' | 'media' | 'mediaLinks' | 'sessions' | 'proofs'>
const PATH = /^\/media\/([0-9a-z]{20,32})$/

/**
 * A member's file, if the policy lets this viewer have it: asked on every request, and the same 404 for what is not
 * there and what is not theirs (api-contract N8). A visitor in the wizard sees their own uploads.
 */
export function createMediaHandler(services: MediaServices, read: ReadDb): RawHandler {
  return async (request, { ip }) => {
    const url = new URL(request.url)
    const id = PATH.exec(url.pathname)?.[1]
    if (!url.pathname.startsWith('/media/')) return null
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { Allow: 'GET, HEAD' })
    const wait = await overLimit(services, request, networkOf(ip))
    if (wait !== null) return answer(429, { 'Retry-After': retryAfter(wait) })
    const media = id && ID_PATTERN.test(id) ? await services.media.find(id) : null
    if (!media || !(await mayHave(services, read, request, media))) return answer(404)
    return (await mediaAnswer(services.media, media, request)) ?? answer(404)
  }
}

/** Before anything is looked up. What shows nobody counts with the visitors, as elsewhere (api-contract §6.2, IP). */
async function overLimit({ limits }: MediaServices, request: Request, network: string): Promise<number | null> {
  const shown =
    new URL(request.url).searchParams.has('sig') ||
    bearerTokenOf(request) !== null ||
    (await sessionTokenOf(request)) !== null ||
    (await proofTokenOf(request)) !== null
  const taken = await limits.take(shown ? 'MEDIA' : 'ANONYMOUS', network)
  return taken.ok ? null : taken.retryInMs
}

async function mayHave(services: MediaServices, read: ReadDb, request: Request, media: Media): Promise<boolean> {
  const token = await proofTokenOf(request)
  const proof = token && (await services.proofs.find(token))
  if (proof && isUploadOf(proof, media)) return true
  if ('proof' in media.owner) return false
  const viewer = await viewerOf(services, request, media.id)
  const account = viewer && (await findAccountState(read, viewer))
  if (!viewer || account?.status !== 'active') return false
  const { id, owner, purpose, originalId } = media
  return mayFetchMedia(read, viewer, { id, owner: owner.member, purpose, isBlurred: originalId !== null, originalId })
}

/** By cookie, bearer token, or a signature that a player carries in the address. */
async function viewerOf(services: MediaServices, request: Request, id: string): Promise<MemberId | null> {
  const signature = new URL(request.url).searchParams.get('sig')
  if (signature) return services.mediaLinks.verify(id, signature)
  const token = bearerTokenOf(request) ?? (await sessionTokenOf(request))
  return token ? ((await services.sessions.find(token))?.member ?? null) : null
}

const WORDS = { 404: 'Not found', 405: 'Method not allowed', 429: 'Too many requests' } as const
const answer = (status: keyof typeof WORDS, headers: Record<string, string> = {}) =>
  new Response(WORDS[status], {
    status,
    headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...headers },
  })
