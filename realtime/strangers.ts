import type { Connection } from './connection.ts'
import type { RealtimeLimits } from './limits.ts'

/**
 * The sockets that are not signed in yet. Where one comes that is too many, the oldest goes: of its own network, and else of
 * all. A page signs in at once, so the one that goes is hardly a member's.
 */
export class Strangers {
  private readonly networkOf = new Map<Connection, string>()
  private readonly byNetwork = new Map<string, Set<Connection>>()

  constructor(private readonly limits: Pick<RealtimeLimits, 'strangersPerNetwork' | 'strangersPerNode'>) {}

  get size(): number {
    return this.networkOf.size
  }

  add(connection: Connection, network: string): void {
    const own = this.byNetwork.get(network) ?? new Set()
    if (own.size >= this.limits.strangersPerNetwork) this.drop(own)
    if (this.size >= this.limits.strangersPerNode) this.drop(this.networkOf.keys())
    // Its network may have lost its last one just now.
    this.byNetwork.set(network, own.add(connection))
    this.networkOf.set(connection, network)
  }

  delete(connection: Connection): void {
    const network = this.networkOf.get(connection)
    if (network === undefined) return
    this.networkOf.delete(connection)
    const own = this.byNetwork.get(network)
    own?.delete(connection)
    if (own?.size === 0) this.byNetwork.delete(network)
  }

  private drop(connections: Iterable<Connection>): void {
    for (const oldest of connections) {
      this.delete(oldest)
      oldest.terminate()
      return
    }
  }
}
