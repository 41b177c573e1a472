import { bearerTokenOf, waitOfDead } from '../../../app/request/address-limit.server.ts'
import { MEDIA_REFUSALS, mediaAnswer } from '../../../app/request/media-answer.server.ts'
import { proofTokenOf, sessionTokenOf } from '../../../app/request/session-cookie.server.ts'
import { retryAfter } from '../../../app/words/unavailable.ts'
import { ID_PATTERN } from '../../../domain/shared/id-pattern.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { findAccountState } from '../../../projections/accounts/queries.ts'
import type { ReadDb } from '../../../projections/projection.ts'
import { mayFetchMedia } from '../../../projections/view/access.ts'
import { networkOf } from '../../../services/limits/network.ts'
import type { Media } from '../../../services/media/records.ts'
import type { SignupProof } from '../../../services/signup-proofs.ts'
import type { Services } from '../../../usecases/ports.ts'
import { holderOf } from '../../../usecases/register/proof.ts'
import { isUploadOf } from '../../../usecases/register/uploads.ts'
import type { Client } from '../client.ts'
import type { RawHandler } from '../handler.ts'

type MediaServices = Pick<Services, 'limits' | 'media' | 'mediaLinks' | 'sessions' | 'proofs'>
const PATH = /^\/media\/([0-9a-z]{20,32})$/

/**
 * A member's file, if the policy lets this viewer have it: asked on every request, and the same 404 for what is not
 * there and what is not theirs (api-contract N8). A visitor in the wizard sees their own uploads.
 */
export function createMediaHandler(services: MediaServices, read: ReadDb): RawHandler {
  return async (request, { ip, vouch, foundDead }) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/media/')) return null
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { Allow: 'GET, HEAD' })
    const id = PATH.exec(pathname)?.[1]
    const found = await findAsker(services, request, { id: id ?? '', network: networkOf(ip), foundDead })
    if ('retryInMs' in found) return answer(429, { 'Retry-After': retryAfter(found.retryInMs) })
    const media = id && ID_PATTERN.test(id) ? await services.media.find(id) : null
    const entitled = media && (await entitledOf(services, read, found, media))
    if (!media || !entitled) return answer(404)
    vouch?.(entitled, entitled === found.viewer ? found.session : null)
    return (await mediaAnswer(services.media, media, request)) ?? answer(404)
  }
}

/** A member, a visitor who signs up, or neither; `session`: the token that was looked up. */
type Asker = { readonly viewer: MemberId | null; readonly proof: SignupProof | null; readonly session: string | null }
type Asked = { readonly id: string; readonly network: string; readonly foundDead: Client['foundDead'] }

/**
 * Whoever asks, within the limits of their address: what shows nobody counts with the visitors, as elsewhere
 * (api-contract §6.2, IP). A signature shows its viewer at once; a token is looked up within the limit of files, and one
 * that is dead counts with the visitors after all: with them alone, once they have had theirs.
 */
async function findAsker(services: MediaServices, request: Request, { id, network, foundDead }: Asked) {
  const over = async (rate: 'MEDIA' | 'ANONYMOUS') => {
    const taken = await services.limits.take(rate, network)
    return taken.ok ? null : taken
  }
  const { signature, session, proof } = await shownBy(request)
  const signer = signature ? services.mediaLinks.verify(id, signature) : null
  const memberOf = async (token: string) => {
    const found = await services.sessions.find(token)
    if (!found) foundDead?.(token)
    return found?.member ?? null
  }
  const find = async (): Promise<Asker> => ({
    viewer: signer ?? (session === null ? null : await memberOf(session)),
    proof: proof === null ? null : await services.proofs.find(proof),
    session,
  })
  const isKnown = ({ viewer, proof }: Asker) => viewer !== null || proof !== null
  const isShown = signer !== null || session !== null || proof !== null
  if (isShown) {
    const isAlive = async () => isKnown(await find())
    const retryInMs = await waitOfDead(services.limits, { rate: 'MEDIA', network, isAlive })
    if (retryInMs !== null) return { retryInMs }
  }
  const early = await over(isShown ? 'MEDIA' : 'ANONYMOUS')
  if (early) return early
  const asker = await find()
  return (isShown && !isKnown(asker) && (await over('ANONYMOUS'))) || asker
}

/** By cookie, bearer token, or a signature that a player carries in the address: where there is one, it counts alone. */
async function shownBy(request: Request) {
  const signature = new URL(request.url).searchParams.get('sig')
  const session = signature ? null : (bearerTokenOf(request) ?? (await sessionTokenOf(request)))
  return { signature, session, proof: await proofTokenOf(request) }
}

/** For whom the asker may have the file: the holder of their proof or their own id, or null. */
async function entitledOf(
  { media: files }: MediaServices,
  read: ReadDb,
  { viewer, proof }: Asker,
  media: Media,
): Promise<string | null> {
  if (proof && isUploadOf(proof, media)) return holderOf(proof)
  if (!viewer || 'proof' in media.owner) return null
  const account = await findAccountState(read, viewer)
  if (account?.status !== 'active') return null
  const { id, owner, purpose, originalId } = media
  const file = { id, owner: owner.member, purpose, isBlurred: await isBlurred(files, media), originalId }
  return (await mayFetchMedia(read, viewer, file)) ? viewer : null
}

/** A video's still is derived too, and is as sharp as the video. */
async function isBlurred(files: MediaServices['media'], { id, originalId }: Media): Promise<boolean> {
  return originalId !== null && (await files.find(originalId))?.blurredId === id
}

const answer = (status: keyof typeof MEDIA_REFUSALS, headers: Record<string, string> = {}) =>
  new Response(MEDIA_REFUSALS[status], {
    status,
    headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...headers },
  })
