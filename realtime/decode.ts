import type { RecordedEvent } from '../domain/all-events.ts'
import { type Codec, TooNewEvent, UndecodableEvent } from '../eventstore/codec.ts'
import type { StoredEvent } from '../eventstore/events.ts'

/** One event that cannot be read is left out; it never delays the others. */
export async function decodeEach(
  codec: Pick<Codec, 'decode'>,
  stored: readonly StoredEvent[],
  leaveOut: (event: StoredEvent) => void,
): Promise<RecordedEvent[]> {
  if (stored.length === 0) return []
  try {
    return (await codec.decode(stored)) as RecordedEvent[]
  } catch (error) {
    if (!(error instanceof UndecodableEvent) || error instanceof TooNewEvent) throw error
    if (stored.length > 1) {
      const middle = stored.length >> 1
      const first = await decodeEach(codec, stored.slice(0, middle), leaveOut)
      return [...first, ...(await decodeEach(codec, stored.slice(middle), leaveOut))]
    }
    leaveOut(stored[0]!)
    return []
  }
}
