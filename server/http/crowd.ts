/** One open connection: whose it is known to be, and how many of its requests are being answered. */
export type Open = { holder: string | null; requests: number }

/** What strangers may have of a crowd, whoever holds the rest. */
const STRANGERS = 1 / 4
/** Of the strangers, how many are spared because they are the newest: they had no time to ask for anything. */
const SPARED = 1 / 4

/**
 * Connections that count together, by who holds them: strangers in the order they came, others as last vouched for, and
 * so are their holders.
 */
export class Crowd<Key> {
  private readonly strangers = new Map<Key, Open>()
  private readonly byHolder = new Map<string, Map<Key, Open>>()
  size = 0

  constructor(private readonly cap: number) {}

  enter(socket: Key, open: Open): void {
    const { holder } = open
    const own = holder === null ? this.strangers : (this.byHolder.get(holder) ?? new Map<Key, Open>())
    own.set(socket, open)
    if (holder !== null) {
      this.byHolder.delete(holder)
      this.byHolder.set(holder, own)
    }
    this.size += 1
  }

  leave(socket: Key, { holder }: Open): void {
    const own = holder === null ? this.strangers : this.byHolder.get(holder)
    if (!own?.delete(socket)) return
    this.size -= 1
    if (holder !== null && own.size === 0) this.byHolder.delete(holder)
  }

  /** The connections of one holder, from the longest unused on. */
  of(holder: string): ReadonlyMap<Key, Open> | undefined {
    return this.byHolder.get(holder)
  }

  /** Who goes for a newcomer where the crowd is full: one of whoever holds the most while strangers have less than their share. */
  nextToGo(): Key | undefined {
    if (this.size < this.cap) return
    const largest = this.strangers.size < this.cap * STRANGERS ? this.largest() : undefined
    return largest ? longestIdle(largest, 0) : longestIdle(this.strangers, SPARED)
  }

  /** Of several, whoever was not heard of for longest. Looks at every holder: a flood leads here until it has its share. */
  private largest(): ReadonlyMap<Key, Open> | undefined {
    let most: ReadonlyMap<Key, Open> | undefined
    for (const own of this.byHolder.values()) if (own.size > (most?.size ?? 0)) most = own
    return most
  }
}

/** The first that waits for no answer, the newest aside; else the first of all. */
function longestIdle<Key>(sockets: ReadonlyMap<Key, Open>, spared: number): Key | undefined {
  let candidates = Math.ceil(sockets.size * (1 - spared))
  for (const [socket, { requests }] of sockets) {
    if (requests === 0) return socket
    candidates -= 1
    if (candidates === 0) break
  }
  return sockets.keys().next().value
}
