import type { Ports } from '../ports.ts'
import type { VisitorProof } from './proof.ts'

/** Whether this address gave a date of birth under eighteen within the last 24 hours (api-contract C05). */
export function isRefusedMinor(context: Ports, emailKey: string): Promise<boolean> {
  return context.minors.isTurnedAway(emailKey)
}

/** Forgets everything about someone under eighteen but the keyed hash of their address, and that after a day. */
export async function refuseMinor(context: Ports, proof: VisitorProof): Promise<void> {
  await context.minors.turnAway(proof.emailKey)
  await context.media.removeAll({ proof: proof.id })
  await context.proofs.cancel(proof.token)
}
