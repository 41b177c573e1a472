import { minutes } from '../../../domain/shared/dates.ts'
import { Arrivals } from './arrivals.ts'
import type { Asks } from './asks.ts'
import { Leaving } from './leaving.ts'
import { LeftInLine } from './left-in-line.ts'
import { NetworkTurns, type TurnOptions } from './network-turns.ts'

/** Of all that bring files, one of strangers: each takes the thread several times as long as a page does, and its file waits later anyway. */
const FILES_OF_ALL = 2
/**
 * A file waits seconds for others to be parsed: those that do take few of the places of everything else. Each that is
 * refused counts.
 */
const FILES = { openOfLine: 8, openOfStrangers: 24, freeRefusals: 0 }

/**
 * Probes take next to nothing, and whoever asks ends a process that does not answer soon: they wait for each other alone. The
 * strangers' share of these begins in a round of the event loop, so that a flood takes little of each. What they ask the
 * stores is asked once for all: however many wait for that, none of another network does.
 */
const PROBES: TurnOptions = { ofAll: 8, turnMs: 0, openOfLine: 8, openOfStrangers: Number.POSITIVE_INFINITY }

/** A connection stays open for so long at most while what it brought waits for a turn, which waits no longer without it. */
export const IN_LINE_MS = minutes(5)

/** The turns of a server: what brings files waits for others that do, and then like everything else. Probes wait for none of these. */
export class RequestTurns {
  private readonly all: NetworkTurns
  private readonly files: NetworkTurns
  private readonly probes = new NetworkTurns(PROBES)
  private readonly left = new LeftInLine()

  /** `arrivals`: of connections to the port. */
  constructor(
    options: TurnOptions = {},
    private readonly arrivals = new Arrivals(),
  ) {
    this.all = new NetworkTurns(options)
    this.files = new NetworkTurns({ ...FILES, ...options, ofAll: FILES_OF_ALL })
  }

  get crowded(): boolean {
    return this.all.crowded
  }

  of(asks: Asks): RequestTurn {
    return new RequestTurn(
      (leaving) => this.begin(asks, leaving),
      () => this.refused(asks),
      () => this.left.enter(asks),
    )
  }

  /** As `NetworkTurns.begin`. Who was vouched for does not wait for connections that arrive: anybody opens such. */
  async begin({ network, holder, bringsFiles = false, isProbe = false }: Asks, leaving?: Leaving): Promise<() => void> {
    if (isProbe) return this.beginProbe(network, leaving)
    const endFile = bringsFiles ? await this.files.begin(network, holder, leaving) : undefined
    const end = await this.all.begin(network, holder, leaving)
    if (holder === undefined && !leaving?.isLeft) await this.arrivals.settled()
    return () => {
      endFile?.()
      end()
    }
  }

  private refused({ network, holder, bringsFiles = false, isProbe = false, byBrowser = false }: Asks): void {
    if (bringsFiles) this.files.refused(network, holder)
    if (!isProbe && !byBrowser) this.all.refused(network, holder)
  }

  private async beginProbe(network: string, leaving?: Leaving): Promise<() => void> {
    const end = await this.probes.begin(network, undefined, leaving)
    await new Promise(setImmediate)
    return end
  }
}

/** The turn of one request, which it may give up for a while. */
export class RequestTurn {
  private end = () => {}
  private stays: (() => void) | undefined
  private readonly leaving = new Leaving()

  constructor(
    private readonly begins: (leaving: Leaving) => Promise<() => void>,
    private readonly refused: () => void,
    private readonly enterLeft: () => (() => void) | null,
  ) {}

  get isOver(): boolean {
    return this.leaving.isLeft
  }

  /** Resolves with the turn; without it, once it is over. */
  async begin(): Promise<void> {
    const end = await this.begins(this.leaving)
    this.stays?.()
    this.stays = undefined
    if (this.leaving.isLeft) end()
    else this.end = end
  }

  /** Waits on without its sender, for a time, unless as many of theirs do. */
  stay(): void {
    if (this.stays) return
    const leave = this.enterLeft()
    if (!leave) {
      this.over()
      return
    }
    const late = setTimeout(() => this.over(), IN_LINE_MS).unref()
    this.stays = () => {
      clearTimeout(late)
      leave()
    }
  }

  /** Until it begins again. */
  pause(): void {
    this.end()
    this.end = () => {}
  }

  /** With an answer of that status. */
  answered(status: number): void {
    if (status >= 400 && status < 500) this.refused()
    this.over()
  }

  /** For good: it waits in no line any more. */
  over(): void {
    this.leaving.leave()
    this.pause()
  }
}
