import { networkOf } from '../../services/limits/network.ts'
import type { From } from '../../services/media/drafts.ts'
import type { UploadLimit } from '../../services/media/file-looks.ts'
import type { UploadRefusal } from '../../services/media/kinds.ts'
import type { Uploaded } from '../../services/media/media.ts'
import type { Media, MediaOwner, Uploader } from '../../services/media/records.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Ports } from '../ports.ts'

export type UploadOutcome = Outcome<Media, UploadRefusal>

/** The uploads that `key` may send: a member, a visitor's proof, or the network of somebody who shows neither. */
export function uploadLimit({ limits }: Pick<Ports, 'limits'>, key: string): UploadLimit {
  return {
    take: () => slowDownFor({ limits }, 'UPLOAD', key),
    giveBack: () => limits.giveBack('UPLOAD', key),
  }
}

type Receive = (uploader: Uploader, sender: From) => Promise<Uploaded>

const keyOf = (owner: MediaOwner): string => ('member' in owner ? owner.member : owner.proof)

/**
 * Takes an upload from a member or a visitor; `receive` reads and keeps it, once its owner may send another. One that
 * nobody had time for does not count.
 */
export async function receiveMedia(ports: Ports, owner: MediaOwner, receive: Receive): Promise<UploadOutcome> {
  const wait = await slowDownFor(ports, 'UPLOAD', keyOf(owner))
  return wait ?? receiveCounted(ports, owner, receive)
}

/** The same for one that is counted already. */
export async function receiveCounted(ports: Ports, owner: MediaOwner, receive: Receive): Promise<UploadOutcome> {
  const key = keyOf(owner)
  const network = networkOf(ports.ip)
  const isVisitor = !('member' in owner)
  const uploader = 'member' in owner ? owner : { ...owner, network }
  const received = await receive(uploader, { holder: key, network, isVisitor, toDisk: ports.toDisk })
  if (!received.ok && received.reason === 'busy') await ports.limits.giveBack('UPLOAD', key)
  return received.ok ? done(received.media) : received
}
