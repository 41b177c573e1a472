import type { AllStreamRecordedEvent, AllStreamSubscription, EventStoreDBClient } from '@eventstore/db-client'
import { type Position, START } from '../domain/shared/recorded.ts'
import { isLast, wholeIn } from './appends.ts'
import type { StoredEvent } from './events.ts'
import { fromPosition, LEADER } from './position.ts'
import { backOff } from './retry.ts'

/** Events in a batch. */
const MOST = 2_000
/** Events buffered between the socket and a slow consumer; beyond it the subscription is not read. */
const BUFFERED = 10_000

export type Following = {
  /** Gets why a subscription ended that is opened again. */
  readonly onBroken?: ((error: unknown) => void) | undefined
  /** Gets whether the log sends what comes: true with the answer to a subscription, false with the end of each. */
  readonly onOpen?: ((isOpen: boolean) => void) | undefined
}

/**
 * The whole log after a position, in batches, for ever: a lost connection is opened again from the last event handed
 * out, with back-off. The log's own events are left out. Ends when the signal aborts.
 */
export async function* followAll(
  client: EventStoreDBClient,
  toStored: (event: AllStreamRecordedEvent) => StoredEvent,
  after: Position,
  signal: AbortSignal,
  { onBroken = () => undefined, onOpen = () => undefined }: Following = {},
): AsyncGenerator<StoredEvent[]> {
  let from = after
  let attempt = 0
  while (!signal.aborted) {
    const fromPosition_ = from === START ? ('start' as const) : fromPosition(from)
    const subscription = client.subscribeToAll({ fromPosition: fromPosition_, ...LEADER })
    const buffer = new Buffered()
    subscription.once('confirmation', () => onOpen(true))
    void pump(subscription, buffer, toStored, signal, { onBroken, onOpen })
    try {
      for (;;) {
        const events = await buffer.take(signal)
        if (!events) break
        from = events[events.length - 1]!.position
        attempt = 0
        yield events
      }
    } finally {
      buffer.close()
      leave(subscription)
    }
    if (!signal.aborted) await backOff(attempt++, signal)
  }
}

/** Not waited for: a call that has not reached the server yet is called off in the moment it does. */
function leave(subscription: AllStreamSubscription): void {
  subscription.unsubscribe().catch(() => undefined)
}

/** Reads the subscription into the buffer until either ends; an error of the connection ends it. */
async function pump(
  subscription: AllStreamSubscription,
  buffer: Buffered,
  toStored: (event: AllStreamRecordedEvent) => StoredEvent,
  signal: AbortSignal,
  { onBroken, onOpen }: { readonly [name in keyof Following]-?: NonNullable<Following[name]> },
): Promise<void> {
  const stop = () => {
    buffer.close()
    leave(subscription)
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    for await (const { event } of subscription) {
      if (!event) continue
      // Also where the log writes that a stream has ended: of an append before that nothing more comes.
      if (event.type.startsWith('$')) buffer.end()
      else if (!(await buffer.put(toStored(event)))) return
    }
  } catch (error) {
    // Whoever takes sees the end and subscribes again.
    if (!signal.aborted) onBroken(error)
  } finally {
    signal.removeEventListener('abort', stop)
    onOpen(false)
    buffer.close()
  }
}

/** A bounded queue between one producer and one consumer, who takes whole appends. */
class Buffered {
  private events: StoredEvent[] = []
  /** How many of them are whole appends. */
  private whole = 0
  private closed = false
  private wake: (() => void) | undefined
  private resume: (() => void) | undefined

  /** False once nobody takes any more. */
  async put(event: StoredEvent): Promise<boolean> {
    this.events.push(event)
    if (isLast(event) || this.events.length >= BUFFERED) this.end()
    if (this.events.length >= BUFFERED && !this.closed) await new Promise<void>((resolve) => (this.resume = resolve))
    return !this.closed
  }

  /** Nothing more comes of the append of the last event. */
  end(): void {
    this.whole = this.events.length
    this.wake?.()
  }

  /** The next events, at least one; null at the end. */
  async take(signal: AbortSignal): Promise<StoredEvent[] | null> {
    while (this.whole === 0) {
      if (this.closed || signal.aborted) return null
      await new Promise<void>((resolve) => (this.wake = resolve))
    }
    const most = this.whole > MOST ? wholeIn(this.events.slice(0, MOST)) : this.whole
    const taken = this.events.splice(0, most)
    this.whole -= taken.length
    this.resume?.()
    return taken
  }

  close(): void {
    this.closed = true
    this.wake?.()
    this.resume?.()
  }
}
