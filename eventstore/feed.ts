import { setMaxListeners } from 'node:events'
import type { Position } from '../domain/shared/recorded.ts'
import { wholeIn } from './appends.ts'
import type { StoredEvent } from './events.ts'
import type { Log } from './log.ts'
import { sharePages } from './shared-pages.ts'

/** Events kept for consumers that are nearly live; one further behind reads pages of the log until it is not. */
const KEPT = 8_192
const PAGE = 2_000
/** How many events are kept, and how many of those a consumer gets at once. */
type FeedSizes = { readonly kept: number; readonly page: number }

/** One subscription of a process, shared by all that follow the log in it. */
export type Feed = {
  follow(after: Position, signal: AbortSignal): AsyncGenerator<StoredEvent[]>
  head: Log['head']
  /** From the moment at which the subscription breaks until the log has answered the next one: what is written is not known. */
  isBroken(): boolean
  close(): Promise<void>
}

export function createFeed(log: Log, { kept = KEPT, page = PAGE }: Partial<FeedSizes> = {}): Feed {
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const pageAfter = sharePages(log, stop.signal)
  let hub: Promise<Hub> | undefined
  let pumping: Promise<void> = Promise.resolve()
  let isOpen = true

  function live(): Promise<Hub> {
    hub ??= log.head(stop.signal).then((head) => {
      const opened = new Hub(head, { kept, page })
      const coming = log.follow(head, stop.signal, (now) => (isOpen = now))
      pumping = pump(coming, opened)
      return opened
    })
    hub.catch(() => {
      hub = undefined
    })
    return hub
  }

  async function* follow(after: Position, signal: AbortSignal): AsyncGenerator<StoredEvent[]> {
    const shared = await orNull(live(), signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
      return null
    })
    if (!shared) return
    const woken = () => shared.wake()
    signal.addEventListener('abort', woken, { once: true })
    try {
      let from = after
      while (!signal.aborted && !stop.signal.aborted) {
        const { floor } = shared
        const batch = from < floor ? await orNull(pageAfter(from), signal) : await shared.after(from, signal)
        if (!batch) continue
        if (batch.length === 0) {
          // What was there up to the floor is gone for good, or is not for readers.
          if (from < floor) from = floor
          continue
        }
        from = batch[batch.length - 1]!.position
        yield batch
      }
    } finally {
      signal.removeEventListener('abort', woken)
    }
  }

  return {
    follow,
    head: (signal) => log.head(signal),
    isBroken: () => !isOpen,
    async close() {
      stop.abort()
      void hub?.then((opened) => opened.wake()).catch(() => undefined)
      await pumping
    },
  }
}

/** An answer that others wait for too continues without the one who leaves: null for them. */
async function orNull<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null
  let leave = () => {}
  const left = new Promise<null>((resolve) => {
    leave = () => resolve(null)
  })
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([answer, left]).finally(() => signal.removeEventListener('abort', leave))
}

async function pump(coming: AsyncIterable<StoredEvent[]>, hub: Hub): Promise<void> {
  for await (const batch of coming) hub.push(batch)
  hub.wake()
}

/** The newest events in log order, and those who wait for more. */
class Hub {
  private events: StoredEvent[] = []
  private waiting: (() => void)[] = []

  /** Everything after this position is kept. */
  constructor(
    public floor: Position,
    private readonly sizes: FeedSizes,
  ) {}

  push(batch: readonly StoredEvent[]): void {
    this.events.push(...batch)
    const { kept } = this.sizes
    if (this.events.length > kept) {
      const dropped = this.events.splice(0, this.events.length - kept / 2)
      this.floor = dropped[dropped.length - 1]!.position
    }
    this.wake()
  }

  /** What follows the position; waits for the next event when it is the last. Empty once woken for nothing. */
  async after(position: Position, signal: AbortSignal): Promise<StoredEvent[]> {
    const found = this.take(position)
    if (found.length > 0 || signal.aborted) return found
    await new Promise<void>((resolve) => this.waiting.push(resolve))
    return position < this.floor ? [] : this.take(position)
  }

  wake(): void {
    const waiting = this.waiting
    this.waiting = []
    for (const resolve of waiting) resolve()
  }

  private take(position: Position): StoredEvent[] {
    let low = 0
    let high = this.events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.events[middle]!.position > position) high = middle
      else low = middle + 1
    }
    const page = this.events.slice(low, low + this.sizes.page)
    return page.length < this.sizes.page ? page : page.slice(0, wholeIn(page))
  }
}
