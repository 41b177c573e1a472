import { randomUUID } from 'node:crypto'
import { type MemberId, otherOf, type PairId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import { type BusMessage, type BusSeat, createLocalBus } from './bus.ts'
import { type Connection, frameOf, type Identity } from './connection.ts'
import type { RealtimeDeps } from './deps.ts'
import { Follower } from './follower.ts'
import type { Handling } from './handlers/handler.ts'
import { isOpenTo } from './handlers/rooms.ts'
import { Hub } from './hub.ts'
import { LIMITS, type RealtimeLimits } from './limits.ts'
import { Presence } from './presence.ts'
import { ReplayBudget } from './replay-budget.ts'
import { Strangers } from './strangers.ts'

/** What the sockets of one node share. */
export class Node {
  readonly limits: RealtimeLimits
  readonly count = { resumed: 0, replayed: 0, resyncs: 0, badFrames: 0, floods: 0 }
  readonly strangers: Strangers
  readonly replays: ReplayBudget
  readonly hub: Hub
  readonly follower: Follower
  readonly presence: Presence
  private seat: BusSeat | undefined

  constructor(
    readonly deps: RealtimeDeps,
    outdated: () => void,
  ) {
    this.limits = { ...LIMITS, ...deps.limits }
    this.strangers = new Strangers(this.limits)
    this.replays = new ReplayBudget(this.limits.replayBytesPerMinute)
    this.presence = new Presence({
      node: randomUUID(),
      offlineAfterMs: this.limits.offlineAfterMs,
      shows: (member) => deps.showsPresence(member, this.follower.visibilityAt),
      changed: (member, online) => this.sendPresence(member, online),
    })
    this.hub = new Hub(this.limits.socketsPerMember, (member, here) => this.presence.moved(member, here))
    this.follower = new Follower({
      ...deps,
      limits: this.limits,
      hub: this.hub,
      visibilityChanged: (member) => this.presence.look(member),
      matched: (members) => this.introduce(members),
      outdated,
    })
  }

  async start(): Promise<void> {
    await this.follower.start()
    this.seat = (this.deps.bus ?? createLocalBus()).join((message) => this.overhear(message))
    this.presence.start(this.seat)
  }

  async stop(): Promise<void> {
    this.presence.stop()
    this.seat?.leave()
    await this.follower.stop()
  }

  admit(connection: Connection, { member }: Identity): void {
    this.strangers.delete(connection)
    this.hub.add(member, connection)
  }

  /** The position is past this node's end: fine while the log reaches it, a sign of another log when it does not. */
  async isBeyond(position: Position): Promise<boolean> {
    return position > this.follower.head && position > (await this.deps.source.head())
  }

  /** Sends a socket which of the member's matches are online. */
  greet(connection: Connection, member: MemberId): void {
    for (const other of this.follower.rights.matchesOf(member)) {
      if (this.presence.isOnline(other)) connection.writeSignal(presenceFrame(other, true))
    }
  }

  /** Notifies two who are matches from now on that the other is online. */
  private introduce([first, second]: readonly [MemberId, MemberId]): void {
    if (this.presence.isOnline(first)) this.hub.signal(second, presenceFrame(first, true))
    if (this.presence.isOnline(second)) this.hub.signal(first, presenceFrame(second, true))
  }

  handling(connection: Connection, me: Identity): Handling {
    const { rights, head } = this.follower
    return {
      connection,
      me,
      rights,
      head,
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
    if (!isOpenTo(room, from, this.follower.rights)) return
    const frame = frameOf({ type: 'signal', name: 'typing', data: { roomId: room, from, on } })
    this.hub.signal(otherOf(room, from), frame, room)
  }

  private sendPresence(member: MemberId, online: boolean): void {
    const frame = presenceFrame(member, online)
    for (const other of this.follower.rights.matchesOf(member)) this.hub.signal(other, frame)
  }
}

function presenceFrame(userId: MemberId, online: boolean): Buffer {
  const name = online ? 'presence:online' : 'presence:offline'
  return frameOf({ type: 'signal', name, data: { userId } })
}
