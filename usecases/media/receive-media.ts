import { networkOf } from '../../services/limits/network.ts'
import type { From } from '../../services/media/drafts.ts'
import type { UploadLimit } from '../../services/media/file-looks.ts'
import type { UploadRefusal } from '../../services/media/kinds.ts'
import type { Uploaded } from '../../services/media/media.ts'
import type { Media, MediaOwner, Uploader } from '../../services/media/records.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

export type UploadOutcome = Outcome<Media, UploadRefusal>

/** The uploads that `key` may send: a member, a visitor's proof, or the network of somebody who shows neither. */
export function uploadLimit({ limits }: Pick<Ports, 'limits'>, key: string): UploadLimit {
  return {
    async wait() {
      const verdict = await limits.peek('UPLOAD', key)
      return verdict.ok ? null : refused('slow-down', { retryInMs: verdict.retryInMs })
    },
    async count() {
      await limits.take('UPLOAD', key)
    },
  }
}

/**
 * Takes an upload from a member or a visitor; `receive` reads and keeps it, once its owner may send another. One that
 * nobody had time for does not count.
 */
export async function receiveMedia(
  ports: Ports,
  owner: MediaOwner,
  receive: (uploader: Uploader, sender: From) => Promise<Uploaded>,
): Promise<UploadOutcome> {
  const key = 'member' in owner ? owner.member : owner.proof
  const wait = await slowDownFor(ports, 'UPLOAD', key)
  if (wait) return wait
  const network = networkOf(ports.ip)
  const isVisitor = !('member' in owner)
  const uploader = 'member' in owner ? owner : { ...owner, network }
  const received = await receive(uploader, { holder: key, network, isVisitor, toDisk: ports.toDisk })
  if (!received.ok && received.reason === 'busy') await ports.limits.giveBack('UPLOAD', key)
  return received.ok ? done(received.media) : received
}
