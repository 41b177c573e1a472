import type { Socket } from 'node:net'

/** One open connection: whose it is known to be, and how many of its requests are being answered. */
export type Open = { holder: string | null; requests: number }

/** Of those who may go, how many are spared because they are the newest: they had no time to ask for anything. */
const SPARED = 1 / 4

/** Connections that count together, by who holds them: strangers in the order they came, others as last vouched for. */
export class Crowd {
  private readonly strangers = new Map<Socket, Open>()
  private readonly byHolder = new Map<string, Map<Socket, Open>>()
  size = 0

  enter(socket: Socket, open: Open): void {
    const { holder } = open
    const own = holder === null ? this.strangers : (this.byHolder.get(holder) ?? new Map<Socket, Open>())
    if (holder !== null) this.byHolder.set(holder, own)
    own.set(socket, open)
    this.size += 1
  }

  leave(socket: Socket, { holder }: Open): void {
    const own = holder === null ? this.strangers : this.byHolder.get(holder)
    if (!own?.delete(socket)) return
    this.size -= 1
    if (holder !== null && own.size === 0) this.byHolder.delete(holder)
  }

  /** The connections of one holder, from the longest unused on. */
  of(holder: string): ReadonlyMap<Socket, Open> | undefined {
    return this.byHolder.get(holder)
  }

  /** Who goes for a newcomer: a stranger, or where there is none one of whoever holds the most. */
  nextToGo(): Socket | undefined {
    const among = this.strangers.size > 0 ? this.strangers : this.largest()
    return among && oldestIdle(among)
  }

  /** Looks at every holder: a flood of newcomers does not lead here, as the first of them is a stranger. */
  private largest(): ReadonlyMap<Socket, Open> | undefined {
    let most: ReadonlyMap<Socket, Open> | undefined
    for (const own of this.byHolder.values()) if (own.size > (most?.size ?? 0)) most = own
    return most
  }
}

/** The oldest that waits for no answer, if it is not among the newest; else the oldest. */
function oldestIdle(sockets: ReadonlyMap<Socket, Open>): Socket | undefined {
  let candidates = Math.ceil(sockets.size * (1 - SPARED))
  for (const [socket, { requests }] of sockets) {
    if (requests === 0) return socket
    candidates -= 1
    if (candidates === 0) break
  }
  return sockets.keys().next().value
}
