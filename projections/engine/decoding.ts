import type { RecordedEvent } from '../../domain/all-events.ts'
import { type Codec, UndecodableEvent } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import { forgetErased } from '../../eventstore/forget-erased.ts'
import type { KeyRing } from '../../eventstore/keys.ts'

/** A stored event with its content, or with why it cannot be read. */
export type Decoded = { readonly stored: StoredEvent; readonly event: RecordedEvent | UndecodableEvent }

export type Decode = (events: readonly StoredEvent[]) => Promise<Decoded[]>

type Batch = Promise<Map<StoredEvent, Decoded>>

/**
 * Decodes each event once, however many projections ask for it: the feed hands all of them the same objects. Keys of
 * erased members and cases are dropped as their erasure passes. Fails only when the keys cannot be fetched.
 */
export function createDecode(codec: Codec, keys: Pick<KeyRing, 'forget'>): Decode {
  const known = new WeakMap<StoredEvent, Batch>()

  async function decodeNew(events: readonly StoredEvent[]): Batch {
    try {
      const decoded = await decodeOnce(codec, keys, events)
      return new Map(decoded.map((one) => [one.stored, one]))
    } catch (error) {
      for (const event of events) known.delete(event)
      throw error
    }
  }

  return async (events) => {
    const fresh = events.filter((event) => !known.has(event))
    if (fresh.length > 0) {
      const batch = decodeNew(fresh)
      for (const event of fresh) known.set(event, batch)
    }
    const batches = await Promise.all([...new Set(events.map((event) => known.get(event)!))])
    const all = batches.length === 1 ? batches[0]! : new Map(batches.flatMap((batch) => [...batch]))
    return events.map((event) => all.get(event)!)
  }
}

/** As `createDecode`, for events that are asked for once. */
export async function decodeOnce(
  codec: Codec,
  keys: Pick<KeyRing, 'forget'>,
  events: readonly StoredEvent[],
): Promise<Decoded[]> {
  const forget = () => forgetErased(keys, events)
  // Before, so that what was written behind the end of an account is not read; after, as somebody may have asked meanwhile.
  forget()
  const decoded = await decodeAll(codec, events)
  forget()
  return decoded
}

/** As `decodeOnce`, for who only looks: no key is dropped. */
export async function decodeAll(codec: Pick<Codec, 'decode'>, events: readonly StoredEvent[]): Promise<Decoded[]> {
  try {
    const decoded = await codec.decode(events)
    return events.map((stored, index) => ({ stored, event: decoded[index]! }))
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error
    if (events.length === 1) return [{ stored: events[0]!, event: error }]
    const middle = events.length >> 1
    return [...(await decodeAll(codec, events.slice(0, middle))), ...(await decodeAll(codec, events.slice(middle)))]
  }
}
