import type { Position } from '../domain/shared/recorded.ts'
import { later } from '../eventstore/position.ts'
import { withTimeout } from '../eventstore/retry.ts'
import { Allowance } from './allowance.ts'
import type { Connection, Identity } from './connection.ts'
import type { Upgrade } from './deps.ts'
import { type AuthFrame, type EventFrameIn, type IncomingFrame, isHandled, readFrame } from './frames.ts'
import { handle } from './handlers/all-handlers.ts'
import type { Reply } from './handlers/handler.ts'
import type { Node } from './node.ts'
import { CloseCode, type ResyncReason } from './protocol.ts'
import type { Item } from './ring/ring.ts'
import { FAILED, INVALID, TOO_MANY, UNSUPPORTED } from './words.ts'

/** How long a node may take to hear that an account is active again. */
const STATUS_WITHIN_MS = 1_000

/** Frames that were on their way when a socket was closed. */
const FRAMES_AFTER_CLOSE = 32

/** The protocol on one socket: who is it, what did it miss, and what does it want. */
export class SocketProtocol {
  private afterClose = 0
  private readonly allowance: Allowance

  constructor(
    private readonly node: Node,
    private readonly connection: Connection,
    private readonly upgrade: Upgrade,
  ) {
    this.allowance = new Allowance(node.limits)
  }

  /** Frames are answered one after the other, in the order they came. `data`: null for a binary one. */
  hear(data: string | null, bytes: number) {
    const { connection } = this
    connection.heardAt = performance.now()
    if (!this.counts(bytes)) return
    connection.waits(bytes)
    connection.work = connection.work
      .then(() => (connection.open ? this.answer(data) : undefined))
      .finally(() => connection.answered(bytes))
  }

  /** A ping or a pong asks for nothing, and counts all the same. */
  hearControl(): void {
    this.counts()
  }

  /** Whether one more frame of so many bytes is allowed. A socket that is closed and sends on is cut off. */
  private counts(bytes = 0): boolean {
    const { connection } = this
    if (!connection.open) {
      if (++this.afterClose === FRAMES_AFTER_CLOSE) connection.cutOff()
      return false
    }
    const member = connection.identity?.member
    const count = this.allowance.countOf(bytes)
    if (this.allowance.frame(count) && (!member || this.node.frames.take(member, count))) return true
    this.node.count.floods++
    connection.close(CloseCode.flood, 'too many frames')
    this.node.deps.refused?.('limit-hit', this.upgrade, member)
    const notCounted = () => this.node.deps.logLine('realtime: a flood was not counted')
    this.node.deps.authenticate.flooded(this.upgrade, member).catch(notCounted)
    return false
  }

  private async answer(data: string | null) {
    const read = data === null ? { for: null } : readFrame(data)
    if (!read.frame) return this.bad(read.for)
    const { frame } = read
    const { identity } = this.connection
    try {
      await (identity ? this.act(identity, frame) : this.begin(frame))
    } catch (error) {
      this.node.deps.logLine(`realtime: a frame failed: ${error instanceof Error ? error.name : 'unknown'}`)
      if (identity) this.failed(frame, error)
      else this.comeAgain()
    }
  }

  private failed(frame: IncomingFrame, error: unknown) {
    const retryInMs = this.node.deps.retryInMs?.(error)
    this.connection.send({
      type: 'error',
      for: nameOf(frame),
      ...FAILED,
      ...(retryInMs !== undefined && { retryInMs }),
    })
  }

  private async act(identity: Identity, frame: IncomingFrame) {
    switch (frame.type) {
      case 'auth':
        return this.bad('auth')
      case 'heartbeat':
        return
      case 'resume':
        return this.resumeAgain(identity, frame)
      default:
        return this.event(identity, frame)
    }
  }

  private bad(about: string | null) {
    this.node.count.badFrames++
    if (!this.allowance.badFrame()) return this.connection.close(CloseCode.badFrame, 'bad frames')
    this.connection.send({ type: 'error', for: about, ...INVALID })
  }

  private async begin(frame: IncomingFrame) {
    if (frame.type !== 'auth') return this.refuse(false)
    this.connection.introduced = true
    const identity = await this.identify(frame)
    if (!this.connection.open) return
    if (identity === 'unknown') return this.comeAgain()
    if (!identity || identity === 'throttled') return this.refuse(identity === 'throttled')
    this.connection.identity = identity
    this.node.admit(this.connection, identity)
    const { last, epoch } = frame
    const { follower } = this.node
    const pos = last ?? follower.reached(identity.member)
    this.connection.send({ type: 'ready', userId: identity.member, pos, epoch: follower.epoch })
    await this.resume(identity, last, epoch)
  }

  private refuse(throttled: boolean): void {
    this.node.deps.refused?.(throttled ? 'limit-hit' : 'denied', this.upgrade)
    if (throttled) this.connection.close(CloseCode.flood, 'too many wrong tokens')
    else this.connection.close(CloseCode.signedOut, 'sign in')
  }

  /** It is not known who it is, or what it may see: another try may. */
  private comeAgain(): void {
    this.connection.send({ type: 'bye', retryInMs: this.node.limits.retryInMs })
    this.connection.close(CloseCode.drain, 'try again')
  }

  /** The credentials, and what the log has recorded of them since they were looked up. */
  private async identify({ token }: AuthFrame): Promise<Identity | 'throttled' | 'unknown' | null> {
    const { follower, limits } = this.node
    const identity = await withTimeout(this.lookUp(token), limits.rightsWithinMs)
    if (!identity || identity === 'throttled') return identity
    if (!this.connection.open) return null
    if (!(await this.inTime(this.node.enter(this.connection, identity.member)))) return 'unknown'
    const end = performance.now() + STATUS_WITHIN_MS
    while (follower.rights.isOut(identity.member) && performance.now() < end) await pause(25)
    if (follower.rights.isOut(identity.member) || follower.rights.isRevoked(identity.session)) return null
    return identity
  }

  private async lookUp(token: string | undefined): Promise<Identity | 'throttled' | null> {
    const { authenticate } = this.node.deps
    const { cookie, network } = this.upgrade
    if (token) return authenticate.token(token, network)
    return cookie ? authenticate.cookie(cookie) : null
  }

  private async resumeAgain(me: Identity, { last, epoch }: Extract<IncomingFrame, { type: 'resume' }>) {
    const retryInMs = this.allowance.waitFor('resume')
    if (retryInMs > 0) return this.reply(null, 'resume', { ...TOO_MANY, retryInMs })
    await this.resume(me, last, epoch)
  }

  /** Sends what the member missed since `last` and lets the rest follow; or asks the page to reload. */
  private async resume({ member }: Identity, last: Position | undefined, epoch: string | undefined) {
    const { connection, node } = this
    const { follower, limits } = node
    const after = last ?? follower.reached(member)
    connection.after = undefined
    if (last && (await node.isBeyond(last))) return this.resync('epoch')
    // A client need not name the epoch: in a log that was set back its position may be of before.
    const of = epoch ?? (last && follower.firstEpoch)
    if (of !== undefined && of !== follower.epoch) return this.resync('epoch')
    const closings = follower.missedClosings(member, after)
    const refused = () => (follower.isGap(after) ? 'gap' : closings.refused)
    const missing = () =>
      connection.open && !refused() ? (follower.waitsFor(member, after) ?? closings.waiting()) : null
    for (let waiting = missing(); waiting; waiting = missing()) {
      if (!(await this.inTime(waiting))) return this.comeAgain()
    }
    // From here on in one go: what is pushed next goes to this socket.
    if (!connection.open) return
    const why = refused()
    if (why) return this.resync(why)
    const missed = [
      ...follower.ring.after(member, after).filter((item) => follower.allows(member, item)),
      ...closings.items(follower.reached(member)),
    ].sort(byPosition)
    const bytes = missed.reduce((sum, { frame }) => sum + frame.length, 0)
    if (missed.length > limits.replayItems || bytes > limits.replayBytes) return this.resync('too-much')
    if (!node.replays.take(member, bytes)) return this.resync('too-much')
    for (const { frame } of missed) connection.write(frame)
    connection.after = later(after, follower.reached(member))
    connection.send({ type: 'heartbeat', pos: connection.after, now: node.deps.now().getTime() })
    node.greet(connection, member)
    if (last) node.count.resumed++
    node.count.replayed += missed.length
  }

  private inTime(known: Promise<unknown>): Promise<boolean> {
    return withTimeout(known, this.node.limits.rightsWithinMs).then(
      () => true,
      () => false,
    )
  }

  private resync(reason: ResyncReason): void {
    this.node.count.resyncs++
    this.connection.resync(reason)
  }

  private async event(me: Identity, frame: EventFrameIn) {
    const about = nameOf(frame)
    if (!isHandled(frame)) return this.connection.send({ type: 'error', for: about, ...UNSUPPORTED })
    const retryInMs = this.allowance.waitFor(frame.type)
    if (retryInMs > 0 && frame.type === 'typing') return
    const reply =
      retryInMs > 0 ? { ...TOO_MANY, retryInMs } : await handle(frame, this.node.handling(this.connection, me))
    this.reply(frame.id ?? null, about, reply)
  }

  private reply(id: string | null, about: string, reply: Reply) {
    if (!reply) return
    if ('pos' in reply) this.connection.send({ type: 'ack', id, pos: reply.pos })
    else this.connection.send({ type: 'error', for: about, ...reply })
  }
}

/** What an error answer to it is `for`. */
const nameOf = (frame: IncomingFrame): string => ('id' in frame && frame.id) || frame.type

/** Keeps the order of those at one position. */
const byPosition = ({ pos: one }: Item, { pos: other }: Item) => (one < other ? -1 : one > other ? 1 : 0)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
