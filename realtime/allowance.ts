/** A bucket of tokens that fills steadily; times in milliseconds. */
class Bucket {
  private tokens: number
  private at = performance.now()

  constructor(
    private readonly size: number,
    private readonly perMs: number,
  ) {
    this.tokens = size
  }

  take(count = 1): boolean {
    const now = performance.now()
    this.tokens = Math.min(this.size, this.tokens + (now - this.at) * this.perMs)
    this.at = now
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }

  /** How long until the next one is there. */
  get waitMs(): number {
    return Math.ceil(Math.max(0, 1 - this.tokens) / this.perMs)
  }
}

const MINUTE_MS = 60_000

/** So many within any minute. */
class Window {
  private readonly taken: number[] = []

  constructor(private readonly most: number) {}

  take(): boolean {
    const now = performance.now()
    while (this.taken.length > 0 && now - this.taken[0]! >= MINUTE_MS) this.taken.shift()
    if (this.taken.length >= this.most) return false
    this.taken.push(now)
    return true
  }

  /** How long until the next one is there. */
  get waitMs(): number {
    return this.taken.length < this.most ? 0 : Math.ceil(Math.max(1, this.taken[0]! + MINUTE_MS - performance.now()))
  }
}

type Rates = {
  readonly framesPerSecond: number
  readonly frameBurst: number
  readonly frameStepBytes: number
  readonly badFramesPerMinute: number
  readonly registersPerMinute: number
  readonly resumesPerMinute: number
  readonly roomsPerMinute: number
  readonly typingPerSecond: number
}

/** What one socket may still do. */
export class Allowance {
  private readonly frames: Bucket
  private readonly bad: Window
  private readonly byType: Readonly<Record<string, Bucket | Window>>

  constructor(private readonly rates: Rates) {
    this.frames = new Bucket(rates.frameBurst, rates.framesPerSecond / 1_000)
    this.bad = new Window(rates.badFramesPerMinute - 1)
    const registers = new Window(rates.registersPerMinute)
    const rooms = new Window(rates.roomsPerMinute)
    this.byType = {
      register: registers,
      'user:register': registers,
      resume: new Window(rates.resumesPerMinute),
      joinRoom: rooms,
      leaveRoom: rooms,
      typing: new Bucket(1, rates.typingPerSecond / 1_000),
    }
  }

  frame(count: number): boolean {
    return this.frames.take(count)
  }

  /** A long frame counts as several. */
  countOf(bytes: number): number {
    return Math.max(1, Math.ceil(bytes / this.rates.frameStepBytes))
  }

  /** False for the one too many. */
  badFrame(): boolean {
    return this.bad.take()
  }

  /** 0 when a frame of this type may pass now, else how long to wait. */
  waitFor(type: string): number {
    const bucket = this.byType[type]
    return !bucket || bucket.take() ? 0 : bucket.waitMs
  }
}
