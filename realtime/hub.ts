import type { MemberId, PairId, SessionId } from '../domain/shared/ids.ts'
import type { SocketCount } from './capped-sockets.ts'
import type { Connection } from './connection.ts'
import { CloseCode } from './protocol.ts'
import type { Item } from './ring/ring.ts'

const NONE: ReadonlySet<Connection> = new Set()

/** The sockets of this node, by member. */
export class Hub {
  private readonly counted: SocketCount
  private readonly members = new Map<MemberId, Set<Connection>>()
  delivered = 0
  slow = 0
  signalsDropped = 0
  /** Pages that were asked to load again because of what they could not be sent. */
  reloads = 0

  constructor(
    count: (drop: (oldest: Connection) => void) => SocketCount,
    private readonly changed: (member: MemberId, here: boolean) => void,
  ) {
    this.counted = count((oldest) => this.makeRoom(oldest))
  }

  get memberCount(): number {
    return this.members.size
  }

  of(member: MemberId): ReadonlySet<Connection> {
    return this.members.get(member) ?? NONE
  }

  present(): Iterable<MemberId> {
    return this.members.keys()
  }

  /** The oldest socket makes room for one too many. */
  add(member: MemberId, connection: Connection): void {
    let set = this.members.get(member)
    if (!set) {
      set = new Set()
      this.members.set(member, set)
      this.changed(member, true)
    }
    set.add(connection)
    this.counted.add(connection, member)
  }

  private makeRoom(oldest: Connection): void {
    oldest.close(CloseCode.tooManySockets, 'too many sockets')
    if (oldest.identity) this.remove(oldest.identity.member, oldest)
  }

  remove(member: MemberId, connection: Connection): void {
    this.counted.delete(connection)
    const set = this.members.get(member)
    if (!set?.delete(connection) || set.size > 0) return
    this.members.delete(member)
    this.changed(member, false)
  }

  deliver(member: MemberId, item: Item): void {
    for (const connection of this.of(member)) {
      if (connection.after === undefined || item.pos <= connection.after) continue
      if (connection.write(item.frame)) this.delivered++
      else this.slow++
    }
  }

  /** To the member's sockets, or to those in a room only. */
  signal(member: MemberId, frame: Buffer, room?: PairId): void {
    for (const connection of this.of(member)) {
      if (connection.after === undefined || (room && !connection.rooms.has(room))) continue
      if (!connection.writeSignal(frame)) this.signalsDropped++
    }
  }

  /** The member's pages load again. */
  reload(member: MemberId): void {
    for (const connection of this.of(member)) {
      connection.resync('gap')
      this.reloads++
    }
  }

  /** Closes the member's sockets, or those of some sessions. */
  signOut(member: MemberId, sessions?: readonly SessionId[]): void {
    for (const connection of [...this.of(member)]) {
      if (sessions && !sessions.includes(connection.identity!.session)) continue
      connection.close(CloseCode.signedOut, 'signed out')
      this.remove(member, connection)
    }
  }
}
