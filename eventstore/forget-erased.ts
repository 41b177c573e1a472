import type { StoredEvent } from './events.ts'
import type { KeyRing } from './keys.ts'

/** Drops the keys that are gone as these events pass: of a member or a case. */
export function forgetErased(keys: Pick<KeyRing, 'forget'>, events: readonly StoredEvent[]): void {
  for (const { type, data } of events) {
    // Between the two somebody may have asked for the key again.
    if (type === 'AccountErased' || type === 'ErasureCertified') keys.forget(data.member as string)
    if (type === 'EvidenceDestroyed') keys.forget(data.report as string)
  }
}
