import type { StoredEvent } from './events.ts'
import type { KeyRing } from './keys.ts'

/** Drops the keys that are gone as these events pass: of a member or a case. */
export function forgetErased(keys: Pick<KeyRing, 'forget'>, events: readonly StoredEvent[]): void {
  for (const event of events) {
    const subject = goneBy(event)
    if (typeof subject === 'string') keys.forget(subject)
  }
}

function goneBy({ type, data }: StoredEvent): unknown {
  // Between the two somebody may have asked for the key again.
  if (type === 'AccountErased' || type === 'ErasureCertified') return data.member
  return type === 'EvidenceDestroyed' ? data.report : undefined
}
