import type { UploadRefusal } from '../../services/media/kinds.ts'
import type { Uploaded } from '../../services/media/media.ts'
import type { Media, MediaOwner } from '../../services/media/records.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

export type UploadOutcomeRefusal = UploadRefusal | 'slow-down'
export type UploadOutcome = Outcome<Media, UploadOutcomeRefusal>

/** Takes an upload from a member or a visitor; `receive` reads and keeps it, once its owner may send another. */
export async function receiveMedia(
  { limits }: Ports,
  owner: MediaOwner,
  receive: () => Promise<Uploaded>,
): Promise<UploadOutcome> {
  const taken = await limits.take('UPLOAD', 'member' in owner ? owner.member : owner.proof)
  if (!taken.ok) return refused('slow-down', { retryInMs: taken.retryInMs })
  const received = await receive()
  return received.ok ? done(received.media) : received
}
