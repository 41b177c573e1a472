import type { Connection } from './connection.ts'

/** How many sockets of one group, such as a network, and of all. */
export type SocketCaps = { readonly perGroup: number; readonly total: number }

/** What counts sockets, for this node or for several together. */
export type SocketCount = Pick<CappedSockets<Connection>, 'add' | 'delete'>
/** `drop` closes the one that goes. */
export type CountSockets = (of: 'strangers' | 'members', caps: SocketCaps, drop: Drop<Connection>) => SocketCount
type Drop<S> = (socket: S) => void

export const countHere: CountSockets = (_of, caps, drop) => new CappedSockets(caps, drop)

/** Where one comes that is too many, the oldest goes: of its own group, and else of all. */
export class CappedSockets<S> {
  private readonly groupOf = new Map<S, string>()
  private readonly byGroup = new Map<string, Set<S>>()

  constructor(
    private readonly caps: SocketCaps,
    private readonly drop: Drop<S>,
  ) {}

  add(socket: S, group: string): void {
    const own = this.byGroup.get(group) ?? new Set()
    if (own.size >= this.caps.perGroup) this.dropFirst(own)
    if (this.groupOf.size >= this.caps.total) this.dropFirst(this.groupOf.keys())
    // The group may have lost its last one just now.
    this.byGroup.set(group, own.add(socket))
    this.groupOf.set(socket, group)
  }

  delete(socket: S): void {
    const group = this.groupOf.get(socket)
    if (group === undefined) return
    this.groupOf.delete(socket)
    const own = this.byGroup.get(group)
    own?.delete(socket)
    if (own?.size === 0) this.byGroup.delete(group)
  }

  private dropFirst(sockets: Iterable<S>): void {
    for (const oldest of sockets) {
      this.delete(oldest)
      this.drop(oldest)
      return
    }
  }
}
