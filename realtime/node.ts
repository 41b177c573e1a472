import { randomUUID } from 'node:crypto'
import { type MemberId, otherOf, type PairId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { type BusMessage, type BusSeat, createLocalBus } from './bus.ts'
import { countHere, type SocketCount } from './capped-sockets.ts'
import { type Connection, frameOf, type Identity } from './connection.ts'
import type { FollowerDeps, RealtimeDeps } from './deps.ts'
import { Follower } from './follower.ts'
import type { Handling } from './handlers/handler.ts'
import { isOpenTo } from './handlers/rooms.ts'
import { Hub } from './hub.ts'
import { LIMITS, memberCaps, type RealtimeLimits, strangerCaps } from './limits.ts'
import { MemberFrames } from './member-frames.ts'
import { Presence } from './presence.ts'
import { ReplayBudget } from './replay-budget.ts'
import { readPast } from './ring/past.ts'
import { shareQuestion } from './share-question.ts'

/** What the sockets of one node share. */
export class Node {
  readonly limits: RealtimeLimits
  readonly count = { resumed: 0, replayed: 0, resyncs: 0, badFrames: 0, floods: 0 }
  /** The sockets that are not signed in yet. A page signs in at once, so the oldest is hardly a member's. */
  readonly strangers: SocketCount
  readonly replays: ReplayBudget
  readonly frames: MemberFrames
  readonly hub: Hub
  readonly follower: Follower
  private readonly followerDeps: FollowerDeps
  readonly presence: Presence
  private seat: BusSeat | undefined
  private readonly headOfLog: () => Promise<Position>

  constructor(
    readonly deps: RealtimeDeps,
    outdated: () => void,
  ) {
    this.limits = { ...LIMITS, ...deps.limits }
    this.headOfLog = shareQuestion(() => deps.source.head())
    const count = deps.countSockets ?? countHere
    this.strangers = count('strangers', strangerCaps(this.limits), (oldest) => oldest.terminate())
    this.replays = new ReplayBudget(this.limits.replayBytesPerMinute, deps.replays)
    this.frames = new MemberFrames(this.limits, deps.frames)
    this.presence = new Presence({
      node: randomUUID(),
      offlineAfterMs: this.limits.offlineAfterMs,
      shows: (member) => deps.showsPresence(member, this.follower.visibilityAt),
      changed: (member, online) => this.sendPresence(member, online),
    })
    const countOfMembers = (drop: (oldest: Connection) => void) => count('members', memberCaps(this.limits), drop)
    this.hub = new Hub(countOfMembers, (member, here) => this.presence.moved(member, here))
    this.followerDeps = {
      ...deps,
      limits: this.limits,
      hub: this.hub,
      visibilityChanged: (member) => this.presence.look(member),
      matched: (member, other) => this.introduce(member, other),
      outdated,
    }
    this.follower = new Follower(this.followerDeps)
  }

  async start(): Promise<void> {
    await this.follower.start((...range) => readPast(this.followerDeps, ...range))
    this.seat = (this.deps.bus ?? createLocalBus()).join((message) => this.overhear(message))
    this.presence.start(this.seat)
  }

  async stop(): Promise<void> {
    this.presence.stop()
    this.seat?.leave()
    await this.follower.stop()
  }

  /** Somebody who has shown who they are: what they may see is known once it resolves. */
  enter(connection: Connection, member: MemberId): Promise<void> {
    connection.entered = member
    return this.follower.rights.enter(member)
  }

  admit(connection: Connection, { member }: Identity): void {
    this.strangers.delete(connection)
    this.hub.add(member, connection)
  }

  dismiss(connection: Connection): void {
    const { entered, identity } = connection
    this.strangers.delete(connection)
    if (identity) this.hub.remove(identity.member, connection)
    if (entered) this.follower.rights.leave(entered)
  }

  /** The position is past this node's end: fine while the log reaches it, a sign of another log when it does not. */
  async isBeyond(position: Position): Promise<boolean> {
    return position > this.follower.head && position > (await this.headOfLog())
  }

  /** Sends a socket which of the member's matches are online. */
  greet(connection: Connection, member: MemberId): void {
    const { rights } = this.follower
    for (const other of rights.matchesOf(member)) {
      if (this.presence.isOnline(other) && rights.open(member, other))
        connection.writeSignal(presenceFrame(other, true))
    }
  }

  /** Notifies a member that a new match is online. */
  private introduce(member: MemberId, other: MemberId): void {
    if (!this.presence.isOnline(other) || !this.follower.rights.open(member, other)) return
    this.hub.signal(member, presenceFrame(other, true))
  }

  handling(connection: Connection, me: Identity): Handling {
    const { follower } = this
    return {
      connection,
      me,
      rights: follower.rights,
      head: follower.reached(me.member),
      roomsPerSocket: this.limits.roomsPerSocket,
      ports: this.deps.ports,
      signalTyping: (room, on) => {
        const message = { type: 'typing', room, from: me.member, on } as const
        this.sendTyping(message)
        this.seat?.send(message)
      },
    }
  }

  private overhear(message: BusMessage): void {
    if (message.type === 'typing') this.sendTyping(message)
    else this.presence.hear(message)
  }

  private sendTyping({ room, from, on }: { room: PairId; from: MemberId; on: boolean }): void {
    const to = otherOf(room, from)
    if (!isOpenTo(room, to, this.follower.rights)) return
    this.hub.signal(to, frameOf({ type: 'signal', name: 'typing', data: { roomId: room, from, on } }), room)
  }

  private sendPresence(member: MemberId, online: boolean): void {
    const { rights } = this.follower
    const frame = presenceFrame(member, online)
    for (const other of rights.matchedHere(member)) {
      if (rights.open(other, member)) this.hub.signal(other, frame)
    }
  }
}

function presenceFrame(userId: MemberId, online: boolean): Buffer {
  const name = online ? 'presence:online' : 'presence:offline'
  return frameOf({ type: 'signal', name, data: { userId } })
}
