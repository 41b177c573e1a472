import type { Ports } from '../ports.ts'
import { endProof } from './end-unfinished.ts'
import type { VisitorProof } from './proof.ts'

/** Whether this address gave a date of birth under eighteen within the last 24 hours (api-contract C05). */
export function isRefusedMinor(context: Ports, emailKey: string): Promise<boolean> {
  return context.minors.isTurnedAway(emailKey)
}

/**
 * Forgets everything about someone under eighteen but the keyed hash of their address, and that after a day: also what a
 * registration with a proof of that address has begun. What fails here is in the refused proof, and the sweep's to finish.
 */
export async function refuseMinor(ports: Ports, { emailKey }: VisitorProof): Promise<void> {
  await ports.minors.turnAway(emailKey)
  for (const proof of await ports.proofs.refuse(emailKey)) {
    await endProof({ ...ports, actor: 'system' }, proof).catch((error: unknown) => ports.reportError?.(error))
  }
}
