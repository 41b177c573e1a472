import type { RequestContext } from '../../lib/request/context.server.ts'
import type { HeldProof } from '../../lib/request/proof.server.ts'
import { removeUploads } from '../upload-media.server.ts'

/** Whether this address gave a date of birth under eighteen within the last 24 hours (api-contract C05). */
export async function isRefusedMinor(context: RequestContext, emailKey: string): Promise<boolean> {
  return !(await context.limits.peek('MINOR', emailKey)).ok
}

/** Forgets everything about someone under eighteen but the keyed hash of their address, and that after a day. */
export async function refuseMinor(context: RequestContext, proof: HeldProof): Promise<void> {
  await context.limits.take('MINOR', proof.emailKey)
  await removeUploads(context, proof)
  await context.proofs.complete(proof.token)
}
