/** Requests of one network that begin side by side, and those of all. */
const AT_ONCE = 8
const OF_ALL = 16
/** Of all that bring files: each takes the thread several times as long as a page does, and its file waits later anyway. */
const FILES_OF_ALL = 2
/** After so long the next one begins beside: what waits for a body or for a change is no work. */
const TURN_MS = 100

/** `ready`: where it stands while one of its requests only waits for others. */
type Line = { readonly ready: Set<Line>; begun: number; readonly waiting: (() => void)[] }

/**
 * Lets the requests of each network begin a few at a time, and no more than what the one thread that renders does soon, so
 * that hundreds that come at once, of one network or of many, do not all stand in front of the next one. Networks that wait
 * take turns. Whose connection was vouched for does not wait behind strangers: each holder is in line as a network is, and
 * of the places every other is theirs while they wait.
 */
export class NetworkTurns {
  private readonly lines = new Map<string, Line>()
  /** Those with a request that only waits for the others, longest first. */
  private readonly strangers = new Set<Line>()
  private readonly vouched = new Set<Line>()
  private lastWasVouched = false
  private begun = 0

  constructor(
    private readonly turnMs = TURN_MS,
    private readonly ofAll = OF_ALL,
  ) {}

  /** Whether so many have begun that it is worth a look who still waits for an answer. */
  get crowded(): boolean {
    return this.begun > this.ofAll / 2
  }

  /** Resolves once a request of that network, or of that holder from whichever, may begin; call what it resolves to when it is answered. */
  async begin(network: string, holder?: string): Promise<() => void> {
    const [key, ready] = holder === undefined ? [network, this.strangers] : [`member ${holder}`, this.vouched]
    const line = this.lines.get(key) ?? { ready, begun: 0, waiting: [] }
    this.lines.set(key, line)
    const begins = new Promise<void>((begin) => line.waiting.push(begin))
    this.queue(line)
    this.letBegin()
    await begins
    let isOver = false
    const end = () => {
      clearTimeout(late)
      if (!isOver) this.end(key, line)
      isOver = true
    }
    const late = setTimeout(end, this.turnMs).unref()
    return end
  }

  private end(key: string, line: Line): void {
    line.begun -= 1
    this.begun -= 1
    this.queue(line)
    this.letBegin()
    if (line.begun + line.waiting.length === 0) this.lines.delete(key)
  }

  private queue(line: Line): void {
    if (line.waiting.length > 0 && line.begun < AT_ONCE) line.ready.add(line)
  }

  private letBegin(): void {
    while (this.begun < this.ofAll) {
      const [first, second] = this.lastWasVouched ? [this.strangers, this.vouched] : [this.vouched, this.strangers]
      const [next] = first.size > 0 ? first : second
      if (!next) return
      this.lastWasVouched = next.ready === this.vouched
      next.ready.delete(next)
      next.begun += 1
      this.begun += 1
      next.waiting.shift()!()
      // Behind the others.
      this.queue(next)
    }
  }
}

/** Who asks: from which network, and who was vouched for on this connection before. */
export type Asks = { readonly network: string; readonly holder?: string | undefined; readonly bringsFiles?: boolean }

/** The turns of a server: what brings files waits for others that do, and then like everything else. */
export class RequestTurns {
  private readonly all: NetworkTurns
  private readonly files: NetworkTurns

  constructor(turnMs?: number) {
    this.all = new NetworkTurns(turnMs)
    this.files = new NetworkTurns(turnMs, FILES_OF_ALL)
  }

  get crowded(): boolean {
    return this.all.crowded
  }

  /** As `NetworkTurns.begin`. */
  async begin({ network, holder, bringsFiles = false }: Asks): Promise<() => void> {
    if (!bringsFiles) return this.all.begin(network, holder)
    const endFile = await this.files.begin(network, holder)
    const end = await this.all.begin(network, holder)
    return () => {
      endFile()
      end()
    }
  }
}
