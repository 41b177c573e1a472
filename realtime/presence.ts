import type { MemberId } from '../domain/shared/ids.ts'
import type { BusMessage, BusSeat } from './bus.ts'

const ANNOUNCE_MS = 15_000
const FORGET_NODE_MS = 45_000
/** Members in one message, so that it fits any bus. */
const PART = 150

export type PresenceDeps = {
  readonly node: string
  readonly offlineAfterMs: number
  /**
   * Whether matches may know: not for who is invisible or hidden (api-contract §6.8). Rejects where this cannot be
   * known at present: until it can, they may not.
   */
  readonly shows: (member: MemberId) => Promise<boolean>
  /** The member came or went, as their matches may know. */
  readonly changed: (member: MemberId, online: boolean) => void
}

/** What is known of another node: `named` in its current turn. */
type Elsewhere = { heardAt: number; members: Set<MemberId>; turn: number; named: Set<MemberId> }

/** Who is online, at this node and the others, as far as they show it. */
export class Presence {
  private readonly here = new Map<MemberId, boolean>()
  /** The last question about each who is here; the answers to earlier ones are out of date. */
  private readonly asked = new Map<MemberId, Promise<boolean>>()
  private readonly unsure = new Set<MemberId>()
  private readonly leaving = new Map<MemberId, NodeJS.Timeout>()
  private readonly elsewhere = new Map<string, Elsewhere>()
  private turn = 0
  private seat: BusSeat | undefined
  private announcing: NodeJS.Timeout | undefined

  constructor(private readonly deps: PresenceDeps) {}

  start(seat: BusSeat): void {
    this.seat = seat
    this.announcing = setInterval(() => this.announceAll(), ANNOUNCE_MS).unref()
    seat.send({ type: 'hello', node: this.deps.node })
  }

  stop(): void {
    clearInterval(this.announcing)
    for (const timer of this.leaving.values()) clearTimeout(timer)
  }

  isOnline(member: MemberId): boolean {
    return this.here.get(member) === true || this.isElsewhere(member)
  }

  /** The member's first socket opened, or the last one closed; a page that only reloads makes no noise. */
  moved(member: MemberId, here: boolean) {
    clearTimeout(this.leaving.get(member))
    this.leaving.delete(member)
    if (here) {
      if (!this.here.has(member)) this.here.set(member, false)
      return this.look(member)
    }
    const leave = () => {
      this.leaving.delete(member)
      const shown = this.here.get(member)
      this.here.delete(member)
      this.asked.delete(member)
      this.unsure.delete(member)
      if (shown) this.announce(member, false)
    }
    this.leaving.set(member, setTimeout(leave, this.deps.offlineAfterMs).unref())
  }

  /** Asks again whether a member who is here shows it. */
  look(member: MemberId): void {
    if (!this.here.has(member)) return
    const asked = this.deps.shows(member)
    this.asked.set(member, asked)
    const learn = (shows: boolean, sure: boolean) => {
      if (this.asked.get(member) !== asked) return
      if (sure) this.unsure.delete(member)
      else this.unsure.add(member)
      if (this.here.get(member) === shows) return
      this.here.set(member, shows)
      this.announce(member, shows)
    }
    asked.then(
      (shows) => learn(shows, true),
      () => learn(false, false),
    )
  }

  hear(message: BusMessage) {
    if (message.type === 'hello') return this.announceAll()
    if (message.type === 'online') this.learnAll(this.nodeOf(message.node), message)
    if (message.type === 'presence') this.learn(this.nodeOf(message.node), message.member, message.on)
  }

  /** Words may be lost: who is in no part of a whole turn has left. */
  private learnAll(node: Elsewhere, { turn, of, members }: Extract<BusMessage, { type: 'online' }>): void {
    if (node.turn !== turn) Object.assign(node, { turn, named: new Set<MemberId>() })
    for (const member of members) {
      node.named.add(member)
      this.learn(node, member, true)
    }
    if (node.named.size < of) return
    for (const member of [...node.members]) if (!node.named.has(member)) this.learn(node, member, false)
  }

  private learn(node: Elsewhere, member: MemberId, on: boolean): void {
    const before = this.isOnline(member)
    if (on) node.members.add(member)
    else node.members.delete(member)
    const after = this.isOnline(member)
    if (before !== after) this.deps.changed(member, after)
  }

  private announce(member: MemberId, on: boolean): void {
    this.seat?.send({ type: 'presence', node: this.deps.node, member, on })
    if (!this.isElsewhere(member)) this.deps.changed(member, on)
  }

  private isElsewhere(member: MemberId): boolean {
    for (const { members } of this.elsewhere.values()) if (members.has(member)) return true
    return false
  }

  private nodeOf(name: string): Elsewhere {
    const node = this.elsewhere.get(name) ?? { heardAt: 0, members: new Set(), turn: -1, named: new Set() }
    node.heardAt = performance.now()
    this.elsewhere.set(name, node)
    return node
  }

  /** Nodes that hear it late or missed a word are right again, and one that died is forgotten. */
  private announceAll(): void {
    for (const member of this.unsure) this.look(member)
    const shown = [...this.here].flatMap(([member, shows]) => (shows ? [member] : []))
    const turn = { type: 'online', node: this.deps.node, turn: ++this.turn, of: shown.length } as const
    for (let from = 0; from === 0 || from < shown.length; from += PART) {
      this.seat?.send({ ...turn, members: shown.slice(from, from + PART) })
    }
    for (const [name, { heardAt, members }] of this.elsewhere) {
      if (performance.now() - heardAt < FORGET_NODE_MS) continue
      this.elsewhere.delete(name)
      for (const member of members) if (!this.isOnline(member)) this.deps.changed(member, false)
    }
  }
}
