import { Crowd, type Open } from './crowd.ts'

/** How many connections the port keeps open, of one network and of all. */
export type ConnectionCaps = { readonly perNetwork: number; readonly total: number }

/** How many connections count as one holder's: a few browsers with what each opens at once. */
export const VOUCHED_EACH = 20

type Placed<Key> = Open & { readonly network: string | null; readonly crowds: readonly Crowd<Key>[] }

/** Open connections by whatever identifies one; `drop` closes the one that goes for a newcomer. */
export class Connections<Key> {
  private readonly everyone: Crowd<Key>
  private readonly networks = new Map<string, Crowd<Key>>()
  private readonly open = new Map<Key, Placed<Key>>()

  constructor(
    private readonly caps: ConnectionCaps,
    private readonly drop: (socket: Key) => void,
  ) {
    this.everyone = new Crowd(caps.total)
  }

  /** `network`: null where it does not identify who asks. */
  enter(socket: Key, network: string | null): void {
    const own = network === null ? undefined : this.networks.get(network)
    if (own) this.makeRoom(own)
    this.makeRoom(this.everyone)
    const crowds = network === null ? [this.everyone] : [this.crowdOf(network), this.everyone]
    const one = { network, crowds, holder: null, requests: 0 }
    this.open.set(socket, one)
    for (const crowd of crowds) crowd.enter(socket, one)
  }

  leave(socket: Key): void {
    const one = this.open.get(socket)
    if (!one) return
    this.open.delete(socket)
    for (const crowd of one.crowds) crowd.leave(socket, one)
    if (one.network !== null && this.networks.get(one.network)?.size === 0) this.networks.delete(one.network)
  }

  asked(socket: Key, requests: number): void {
    const one = this.open.get(socket)
    if (one) one.requests += requests
  }

  /** Beyond its share of connections, the one that a holder left unused for longest is a stranger's again. */
  vouch(socket: Key, holder: string): void {
    this.hand(socket, holder)
    const own = this.everyone.of(holder)
    const [longestUnused] = own && own.size > VOUCHED_EACH ? own.keys() : []
    if (longestUnused) this.hand(longestUnused, null)
  }

  private hand(socket: Key, holder: string | null): void {
    const one = this.open.get(socket)
    if (!one) return
    for (const crowd of one.crowds) crowd.leave(socket, one)
    one.holder = holder
    for (const crowd of one.crowds) crowd.enter(socket, one)
  }

  private makeRoom(crowd: Crowd<Key>): void {
    const socket = crowd.nextToGo()
    if (!socket) return
    this.leave(socket)
    this.drop(socket)
  }

  private crowdOf(network: string): Crowd<Key> {
    const crowd = this.networks.get(network) ?? new Crowd<Key>(this.caps.perNetwork)
    this.networks.set(network, crowd)
    return crowd
  }
}
