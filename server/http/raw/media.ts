import { bearerTokenOf, waitOfDead } from '../../../app/request/address-limit.server.ts'
import { MEDIA_REFUSALS, mediaAnswer } from '../../../app/request/media-answer.server.ts'
import { proofTokenOf, sessionTokenOf } from '../../../app/request/session-cookie.server.ts'
import { retryAfter } from '../../../app/words/unavailable.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { networkOf } from '../../../services/limits/network.ts'
import { servable } from '../../../services/media/records.ts'
import type { SignupProof } from '../../../services/signup-proofs.ts'
import type { Services } from '../../../usecases/ports.ts'
import { holderOf } from '../../../usecases/register/proof.ts'
import { isUploadOf } from '../../../usecases/register/uploads.ts'
import type { Client } from '../client.ts'
import type { RawHandler } from '../handler.ts'
import type { FindMedia, FoundMedia } from './found-media.ts'

type MediaServices = Pick<Services, 'limits' | 'media' | 'mediaLinks' | 'proofs'>
const PATH = /^\/media\/([0-9a-z]{20,32})$/

/**
 * A member's file, if the policy lets this viewer have it: asked on every request, and the same 404 for what is not
 * there and what is not theirs (api-contract N8). A visitor in the wizard sees their own uploads.
 */
export function createMediaHandler(services: MediaServices, find: FindMedia): RawHandler {
  return async (request, { ip, vouch, foundDead }) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/media/')) return null
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, { Allow: 'GET, HEAD' })
    const shown = await shownBy(services, request, PATH.exec(pathname)?.[1] ?? '')
    const found = await findWithin(services, find, { shown, network: networkOf(ip), foundDead })
    if ('retryInMs' in found) return answer(429, { 'Retry-After': retryAfter(found.retryInMs) })
    const entitled = entitledOf(found)
    if (!found.stored || !entitled || !servable(found.stored.media)) return answer(404)
    vouch?.(entitled, entitled === found.viewer ? shown.session : null)
    return mediaAnswer(services.media, found.stored, request)
  }
}

/** What a request shows of who asks, and which file it asks for. */
type Shown = {
  readonly id: string
  readonly signer: MemberId | null
  readonly session: string | null
  readonly proof: string | null
}

/**
 * By cookie, bearer token, or a signature that a player carries in the address: where there is one, it counts alone. A
 * visitor's bearer token is their proof (api-contract C71).
 */
async function shownBy({ mediaLinks }: MediaServices, request: Request, id: string): Promise<Shown> {
  const signature = new URL(request.url).searchParams.get('sig')
  const bearer = signature ? null : bearerTokenOf(request)
  return {
    id,
    signer: signature ? mediaLinks.verify(id, signature) : null,
    session: signature ? null : (bearer ?? (await sessionTokenOf(request))),
    proof: bearer ?? (await proofTokenOf(request)),
  }
}

type Found = FoundMedia & { readonly proof: SignupProof | null }
type Asked = { readonly shown: Shown; readonly network: string; readonly foundDead: Client['foundDead'] }

/**
 * The file and whoever asks, within the limits of their address: what shows nobody counts with the visitors, as elsewhere
 * (api-contract §6.2, IP). A signature shows its viewer at once; a token is looked up within the limit of files, and one
 * that is dead counts with the visitors after all: with them alone, once they have had theirs.
 */
async function findWithin(
  services: MediaServices,
  findMedia: FindMedia,
  { shown, network, foundDead }: Asked,
): Promise<Found | { retryInMs: number }> {
  const over = async (rate: 'MEDIA' | 'ANONYMOUS') => {
    const taken = await services.limits.take(rate, network)
    return taken.ok ? null : taken
  }
  const { signer, session, proof } = shown
  const find = async (): Promise<Found> => {
    const found = await findMedia(shown)
    if (session !== null && found.viewer === null) foundDead?.(session)
    // A token that is a session is no proof.
    const isNone = proof === null || (proof === session && found.viewer !== null)
    return { ...found, proof: isNone ? null : await services.proofs.find(proof) }
  }
  const isKnown = (found: Found) => found.viewer !== null || found.proof !== null
  const isShown = signer !== null || session !== null || proof !== null
  if (isShown) {
    const isAlive = async () => isKnown(await find())
    const retryInMs = await waitOfDead(services.limits, { rate: 'MEDIA', network, isAlive })
    if (retryInMs !== null) return { retryInMs }
  }
  const early = await over(isShown ? 'MEDIA' : 'ANONYMOUS')
  if (early) return early
  const found = await find()
  return (isShown && !isKnown(found) && (await over('ANONYMOUS'))) || found
}

/** For whom the asker may have the file: the holder of their proof or their own id, or null. */
function entitledOf({ viewer, stored, isAllowed, proof }: Found): string | null {
  if (proof && stored && isUploadOf(proof, stored.media)) return holderOf(proof)
  return isAllowed ? viewer : null
}

const answer = (status: keyof typeof MEDIA_REFUSALS, headers: Record<string, string> = {}) =>
  new Response(MEDIA_REFUSALS[status], {
    status,
    headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', ...headers },
  })
