import { Arrivals } from './arrivals.ts'
import { NetworkTurns, type TurnOptions } from './network-turns.ts'

/** Of all that bring files, one of strangers: each takes the thread several times as long as a page does, and its file waits later anyway. */
const FILES_OF_ALL = 2
/** A file waits seconds for others to be parsed: those that do take few of the places of everything else. */
const FILES_OPEN = { openOfLine: 8, openOfStrangers: 24 }

/** Who asks: from which network, and who was vouched for by a token that the request shows. */
export type Asks = { readonly network: string; readonly holder?: string | undefined; readonly bringsFiles?: boolean }

/** The turns of a server: what brings files waits for others that do, and then like everything else. */
export class RequestTurns {
  private readonly all: NetworkTurns
  private readonly files: NetworkTurns

  /** `arrivals`: of connections to the port. */
  constructor(
    options: TurnOptions = {},
    private readonly arrivals = new Arrivals(),
  ) {
    this.all = new NetworkTurns(options)
    this.files = new NetworkTurns({ ...FILES_OPEN, ...options, ofAll: FILES_OF_ALL })
  }

  get crowded(): boolean {
    return this.all.crowded
  }

  of(asks: Asks): RequestTurn {
    return new RequestTurn(() => this.begin(asks))
  }

  /** As `NetworkTurns.begin`. Who was vouched for does not wait for connections that arrive: anybody opens such. */
  async begin({ network, holder, bringsFiles = false }: Asks): Promise<() => void> {
    const endFile = bringsFiles ? await this.files.begin(network, holder) : undefined
    const end = await this.all.begin(network, holder)
    if (holder === undefined) await this.arrivals.settled()
    return () => {
      endFile?.()
      end()
    }
  }
}

/** The turn of one request, which it may give up for a while. */
export class RequestTurn {
  private end = () => {}
  private isOver = false

  constructor(private readonly begins: () => Promise<() => void>) {}

  async begin(): Promise<void> {
    const end = await this.begins()
    if (this.isOver) end()
    else this.end = end
  }

  /** Until it begins again. */
  pause(): void {
    this.end()
    this.end = () => {}
  }

  over(): void {
    this.isOver = true
    this.pause()
  }
}
