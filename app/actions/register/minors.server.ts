import type { RequestContext } from '../../lib/request/context.server.ts'
import type { HeldProof } from '../../lib/request/proof.server.ts'
import { removeUploads } from '../upload-media.server.ts'

/** Whether this address gave a date of birth under eighteen within the last 24 hours (api-contract C05). */
export function isRefusedMinor(context: RequestContext, emailKey: string): Promise<boolean> {
  return context.minors.isTurnedAway(emailKey)
}

/** Forgets everything about someone under eighteen but the keyed hash of their address, and that after a day. */
export async function refuseMinor(context: RequestContext, proof: HeldProof): Promise<void> {
  await context.minors.turnAway(proof.emailKey)
  await removeUploads(context, proof)
  await context.proofs.cancel(proof.token)
}
