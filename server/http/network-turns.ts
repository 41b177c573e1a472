/** Requests of one network that begin side by side, and those of all. */
const AT_ONCE = 8
const OF_ALL = 16
/** Of all that bring files: each takes the thread several times as long as a page does, and its file waits later anyway. */
const FILES_OF_ALL = 2
/** After so long the next one begins beside: what waits for a body or for a change is no work. */
const TURN_MS = 100

type Line = { begun: number; readonly waiting: (() => void)[] }

/**
 * Lets the requests of each network begin a few at a time, and no more than what the one thread that renders does soon, so
 * that hundreds that come at once, of one network or of many, do not all stand in front of the next one. Networks that wait
 * take turns.
 */
export class NetworkTurns {
  private readonly lines = new Map<string, Line>()
  /** Those with a request that only waits for the others, longest first. */
  private readonly ready = new Set<string>()
  private begun = 0

  constructor(
    private readonly turnMs = TURN_MS,
    private readonly ofAll = OF_ALL,
  ) {}

  /** Whether so many have begun that it is worth a look who still waits for an answer. */
  get crowded(): boolean {
    return this.begun > this.ofAll / 2
  }

  /** Resolves once a request of that network may begin; call what it resolves to when it is answered. */
  async begin(network: string): Promise<() => void> {
    const line = this.lines.get(network) ?? { begun: 0, waiting: [] }
    this.lines.set(network, line)
    const begins = new Promise<void>((begin) => line.waiting.push(begin))
    this.letBegin(network, line)
    await begins
    let isOver = false
    const end = () => {
      clearTimeout(late)
      if (!isOver) this.end(network, line)
      isOver = true
    }
    const late = setTimeout(end, this.turnMs).unref()
    return end
  }

  private end(network: string, line: Line): void {
    line.begun -= 1
    this.begun -= 1
    this.letBegin(network, line)
    if (line.begun + line.waiting.length === 0) this.lines.delete(network)
  }

  private letBegin(network: string, line: Line): void {
    if (line.waiting.length > 0 && line.begun < AT_ONCE) this.ready.add(network)
    for (const next of this.ready) {
      if (this.begun === this.ofAll) return
      this.ready.delete(next)
      const own = this.lines.get(next)!
      own.begun += 1
      this.begun += 1
      own.waiting.shift()!()
      // Behind the others.
      if (own.waiting.length > 0 && own.begun < AT_ONCE) this.ready.add(next)
    }
  }
}

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
  async begin(network: string, bringsFiles: boolean): Promise<() => void> {
    if (!bringsFiles) return this.all.begin(network)
    const endFile = await this.files.begin(network)
    const end = await this.all.begin(network)
    return () => {
      endFile()
      end()
    }
  }
}
