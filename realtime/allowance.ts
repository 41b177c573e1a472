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

  take(): boolean {
    const now = performance.now()
    this.tokens = Math.min(this.size, this.tokens + (now - this.at) * this.perMs)
    this.at = now
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }

  /** How long until the next one is there. */
  get waitMs(): number {
    return Math.ceil(Math.max(0, 1 - this.tokens) / this.perMs)
  }
}

/** So many within any minute. */
class Window {
  private readonly taken: number[] = []

  constructor(private readonly most: number) {}

  take(): boolean {
    const now = performance.now()
    while (this.taken.length > 0 && now - this.taken[0]! >= 60_000) this.taken.shift()
    return this.taken.push(now) <= this.most
  }
}

type Rates = {
  readonly framesPerSecond: number
  readonly frameBurst: number
  readonly badFramesPerMinute: number
  readonly registersPerMinute: number
  readonly resumesPerMinute: number
  readonly roomsPerMinute: number
  readonly typingPerSecond: number
}

const perMinute = (n: number) => new Bucket(n, n / 60_000)

/** What one socket may still do. */
export class Allowance {
  private readonly frames: Bucket
  private readonly bad: Window
  private readonly byType: Readonly<Record<string, Bucket>>

  constructor(rates: Rates) {
    this.frames = new Bucket(rates.frameBurst, rates.framesPerSecond / 1_000)
    this.bad = new Window(rates.badFramesPerMinute - 1)
    const registers = perMinute(rates.registersPerMinute)
    const rooms = perMinute(rates.roomsPerMinute)
    this.byType = {
      register: registers,
      'user:register': registers,
      resume: perMinute(rates.resumesPerMinute),
      joinRoom: rooms,
      leaveRoom: rooms,
      typing: new Bucket(1, rates.typingPerSecond / 1_000),
    }
  }

  frame(): boolean {
    return this.frames.take()
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
