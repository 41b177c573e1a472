/** Requests of one network that begin side by side. */
const AT_ONCE = 8
/** After so long the next one begins beside: what waits for a body or for a change is no work. */
const TURN_MS = 100

type Line = { begun: number; readonly waiting: (() => void)[] }

/**
 * Lets the requests of each network begin a few at a time, so that hundreds that come at once do not all stand in front of
 * those of other networks.
 */
export class NetworkTurns {
  private readonly lines = new Map<string, Line>()

  constructor(private readonly turnMs = TURN_MS) {}

  /** Resolves once a request of that network may begin; call what it resolves to when it is answered. */
  async begin(network: string): Promise<() => void> {
    const line = this.lines.get(network) ?? { begun: 0, waiting: [] }
    this.lines.set(network, line)
    if (line.begun < AT_ONCE) line.begun += 1
    else await new Promise<void>((begin) => line.waiting.push(begin))
    let isOver = false
    const end = () => {
      clearTimeout(late)
      if (!isOver) this.next(network, line)
      isOver = true
    }
    const late = setTimeout(end, this.turnMs).unref()
    return end
  }

  /** The place of one that ended goes to whoever waits for longest. */
  private next(network: string, line: Line): void {
    const begin = line.waiting.shift()
    if (begin) begin()
    else line.begun -= 1
    if (line.begun === 0) this.lines.delete(network)
  }
}
