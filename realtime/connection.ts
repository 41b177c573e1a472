import type { WebSocket } from 'ws'
import type { MemberId, PairId, SessionId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { RealtimeLimits } from './limits.ts'
import type { ResyncReason, ServerFrame } from './protocol.ts'

/** Who is at the other end. `until`: when the session ends by itself. */
export type Identity = { readonly member: MemberId; readonly session: SessionId; readonly until?: Date | undefined }

/** How long a closed socket that sends on stays, unheard. */
const LAST_WORDS_MS = 250

/** In memory of its own: a short buffer from node's pool keeps all eight KiB of it for as long as the ring keeps the frame. */
export function frameOf(frame: ServerFrame): Buffer {
  const text = JSON.stringify(frame)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** One socket: who it is, how far it is, and how much may wait for it. */
export class Connection {
  identity: Identity | undefined
  /** It has sent what shows who it is; whether that is anybody may not be known yet. */
  introduced = false
  /** The member whose rights this socket needs, from before it is signed in until it is closed. */
  entered: MemberId | undefined
  /** Events after it go out; undefined while the socket waits for the page to reload. */
  after: Position | undefined
  readonly rooms = new Set<PairId>()
  heardAt = performance.now()
  beatAt = performance.now()
  /** Frames are handled one after the other. */
  work: Promise<void> = Promise.resolve()
  cut = false
  private waitingBytes = 0

  constructor(
    readonly ws: WebSocket,
    private readonly limits: Pick<RealtimeLimits, 'queuedBytes' | 'signalBytes' | 'waitingBytes'>,
  ) {}

  get open(): boolean {
    return !this.cut && this.ws.readyState === this.ws.OPEN
  }

  get queued(): number {
    return this.ws.bufferedAmount
  }

  send(frame: ServerFrame): void {
    this.write(frameOf(frame))
  }

  /** The page loads again, and resumes from there. */
  resync(reason: ResyncReason): void {
    this.after = undefined
    this.send({ type: 'resync', reason })
  }

  /** A socket that does not read what waits for it is cut; it comes back and resumes. False when nothing was sent. */
  write(frame: Buffer): boolean {
    if (!this.open) return false
    if (this.queued > this.limits.queuedBytes) {
      this.terminate()
      return false
    }
    this.ws.send(frame, { binary: false, compress: false })
    return true
  }

  /** One more frame waits for those before it. */
  waits(bytes: number): void {
    this.waitingBytes += bytes
    if (this.waitingBytes > this.limits.waitingBytes) this.ws.pause()
  }

  /** A frame that waited is answered. */
  answered(bytes: number): void {
    this.waitingBytes -= bytes
    if (this.open && this.ws.isPaused && this.waitingBytes <= this.limits.waitingBytes) this.ws.resume()
  }

  /** Left out when the socket is behind. */
  writeSignal(frame: Buffer): boolean {
    return this.queued <= this.limits.signalBytes && this.write(frame)
  }

  close(code: number, reason: string): void {
    this.cut = true
    this.ws.close(code, reason)
  }

  /** Hears nothing more, and ends once the reason had its time to arrive: a reset would take it away. */
  cutOff(): void {
    this.cut = true
    this.ws.pause()
    setTimeout(() => this.ws.terminate(), LAST_WORDS_MS).unref()
  }

  terminate(): void {
    this.cut = true
    this.ws.terminate()
  }
}
