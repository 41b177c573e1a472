import { performance as thread } from 'node:perf_hooks'
import { minutes } from '../../../domain/shared/dates.ts'
import { createRecent } from '../../../services/limits/recent.ts'
import type { Leaving } from './leaving.ts'

/**
 * Requests that begin side by side. They share the one thread, and whatever needs many rounds of its event loop, as an upload
 * does, waits in each round for a step of all of them: so there are no more than keep the thread busy.
 */
const OF_ALL = 8
/** Of these, as shares: all strangers, one of their networks, and one holder. */
const STRANGERS = 1 / 2
const OF_NETWORK = 1 / 4
const OF_HOLDER = 1 / 2
/**
 * After so long, of time in which the thread was free, the next one begins beside: what waits for a body or for a change is
 * no work. Time in which the thread was busy is no wait, but a share of it counts, so that whoever keeps it busy by other
 * means stops nobody.
 */
const TURN_MS = 100
const BUSY_SHARE = 1 / 10
const LOOK_MS = 20
/**
 * Begun and not answered yet, with those whose turn is over: of one line, and of all strangers. Of members so many times
 * more, so that a few accounts whose requests all wait for something keep no other member out.
 */
export const OPEN_OF_LINE = 24
export const OPEN_OF_STRANGERS = 96
export const OF_MEMBERS = 4
const OPEN_MS = 120_000

/** Of those who wait, whoever had turns for least time of late comes next; a difference of less is none. */
const OF_LATE_MS = minutes(0.5)
const STEP_MS = 100
/**
 * What a refusal counts beside its time: it takes little, and whoever is refused again and again is in no hurry. The first few
 * of late count nothing, and those of a network so much at most, so that they are forgotten soon after the last: many may be
 * behind one address.
 */
const REFUSED_MS = 1_000
const FREE_REFUSALS = 3
const MOST_OF_NETWORK_MS = 5_000

/**
 * Those in line behind strangers, or behind others who were vouched for. `ready`: who only waits for others, longest first;
 * `ofAll` and `ofLine`: how many may have a turn; `mayBeOpen`: how many may wait for an answer.
 */
type Group = {
  readonly ready: Set<Line>
  readonly ofAll: number
  readonly ofLine: number
  readonly mayBeOpen: number
  begun: number
  open: number
}
/** `begun`: with a turn; `open`: without an answer; `waiting`: what each begins by, longest first. */
type Line = {
  readonly key: string
  readonly group: Group
  begun: number
  open: number
  readonly waiting: Set<() => void>
}
type Turn = { readonly line: Line; readonly since: number; readonly at: number; isOver: boolean }

export type TurnOptions = {
  readonly turnMs?: number | undefined
  readonly ofAll?: number
  readonly openOfLine?: number
  readonly openOfStrangers?: number
  /** What has no answer by then is counted no more. */
  readonly openMs?: number
  /** Of late, that count nothing. */
  readonly freeRefusals?: number
  /** What a turn is measured by, in milliseconds. */
  readonly clock?: () => number
}

/** Stands still, but for a share, while the thread is busy. */
function freeMs(): number {
  const { idle, active } = thread.eventLoopUtilization()
  return idle + active * BUSY_SHARE
}

/**
 * Lets the requests of each network begin a few at a time, and no more than what the one thread that renders does soon, so
 * that hundreds that come at once, of one network or of many, do not all stand in front of the next one. Networks that wait
 * take turns, those first whose requests took little of late. Whoever was vouched for does not wait behind strangers: each
 * holder is in line as a network is, half of the places are never a stranger's, and of the others every other one is theirs
 * while they wait.
 */
export class NetworkTurns {
  private readonly lines = new Map<string, Line>()
  private readonly strangers: Group
  private readonly vouched: Group
  private readonly open = new Set<Turn>()
  private looking: NodeJS.Timeout | undefined
  private lastWasVouched = false
  private readonly taken = createRecent(OF_LATE_MS)
  private readonly refusals = createRecent(OF_LATE_MS)
  private readonly options: Required<{ [Key in keyof TurnOptions]: NonNullable<TurnOptions[Key]> }>

  constructor({ turnMs = TURN_MS, ofAll = OF_ALL, ...options }: TurnOptions = {}) {
    const { openOfLine = OPEN_OF_LINE, openOfStrangers = OPEN_OF_STRANGERS, openMs = OPEN_MS } = options
    const { freeRefusals = FREE_REFUSALS, clock = freeMs } = options
    this.options = { turnMs, ofAll, openOfLine, openOfStrangers, openMs, freeRefusals, clock }
    const group = (all: number, line: number, mayBeOpen: number): Group => {
      const [places, ofLine] = [ofAll * all, Math.max(1, ofAll * line)]
      return { ready: new Set(), ofAll: places, ofLine, mayBeOpen, begun: 0, open: 0 }
    }
    this.strangers = group(STRANGERS, OF_NETWORK, openOfStrangers)
    this.vouched = group(1, OF_HOLDER, openOfStrangers * OF_MEMBERS)
  }

  /** A request of that network, or of that holder, was refused. */
  refused(network: string, holder?: string): void {
    const { key } = this.lineOf(network, holder)
    const most = holder === undefined ? this.freeMs + MOST_OF_NETWORK_MS : Number.POSITIVE_INFINITY
    this.refusals.add(key, Math.min(REFUSED_MS, most - this.refusals.of(key)))
  }

  private get freeMs(): number {
    return this.options.freeRefusals * REFUSED_MS
  }

  /** What a line took of late, refusals included; in steps. */
  private rankOf({ key }: Line): number {
    const refused = Math.max(0, this.refusals.of(key) - this.freeMs)
    return Math.floor((this.taken.of(key) + refused) / STEP_MS)
  }

  private lineOf(network: string, holder: string | undefined): Pick<Line, 'key' | 'group'> {
    if (holder === undefined) return { key: network, group: this.strangers }
    return { key: `member ${holder}`, group: this.vouched }
  }

  private get begun(): number {
    return this.strangers.begun + this.vouched.begun
  }

  /** Whether so many have begun that it is worth a look who still waits for an answer. */
  get crowded(): boolean {
    return this.begun > this.options.ofAll / 4
  }

  /**
   * Resolves once a request of that network, or of that holder from whichever, may begin; call what it resolves to when it is
   * answered. Who is `leaving` before has no turn: it resolves at once.
   */
  async begin(network: string, holder?: string, leaving?: Leaving): Promise<() => void> {
    const own = this.lineOf(network, holder)
    const line = this.lines.get(own.key) ?? { ...own, begun: 0, open: 0, waiting: new Set() }
    if (leaving?.isLeft || !(await this.begins(line, leaving))) return () => undefined
    const turn = { line, since: this.options.clock(), at: performance.now(), isOver: false }
    this.open.add(turn)
    this.lookSoon()
    return () => this.answered(turn)
  }

  /** False for who has left before. */
  private begins(line: Line, leaving?: Leaving): Promise<boolean> {
    this.lines.set(line.key, line)
    return new Promise((resolve) => {
      const begin = () => {
        leaving?.off(leave)
        resolve(true)
      }
      const leave = () => {
        line.waiting.delete(begin)
        if (line.waiting.size === 0) line.group.ready.delete(line)
        this.forget(line)
        resolve(false)
      }
      line.waiting.add(begin)
      leaving?.on(leave)
      this.queue(line)
      this.letBegin()
    })
  }

  private answered(turn: Turn): void {
    if (!this.open.delete(turn)) return
    turn.line.open -= 1
    turn.line.group.open -= 1
    this.end(turn)
    this.forget(turn.line)
  }

  /** Unless somebody is in it. */
  private forget({ key, open, waiting }: Line): void {
    if (open + waiting.size === 0) this.lines.delete(key)
  }

  /** The next one begins; unanswered, it stays open. */
  private end(turn: Turn): void {
    const { line } = turn
    if (!turn.isOver) {
      turn.isOver = true
      this.taken.add(line.key, performance.now() - turn.at)
      line.begun -= 1
      line.group.begun -= 1
    }
    this.queue(line)
    this.letBegin()
  }

  private lookSoon(): void {
    this.looking ??= setTimeout(() => this.look(), LOOK_MS).unref()
  }

  private look(): void {
    this.looking = undefined
    const [now, at] = [this.options.clock(), performance.now()]
    for (const turn of this.open) {
      if (at - turn.at >= this.options.openMs) this.answered(turn)
      else if (!turn.isOver && now - turn.since >= this.options.turnMs) this.end(turn)
    }
    if (this.open.size > 0) this.lookSoon()
  }

  private queue(line: Line): void {
    const { group, waiting, begun, open } = line
    if (waiting.size > 0 && begun < group.ofLine && open < this.options.openOfLine) group.ready.add(line)
  }

  private letBegin(): void {
    while (this.begun < this.options.ofAll) {
      const next = this.next()
      if (!next) return
      const { group } = next
      this.lastWasVouched = group === this.vouched
      group.ready.delete(next)
      group.open += 1
      next.open += 1
      next.begun += 1
      group.begun += 1
      const [begin] = next.waiting
      next.waiting.delete(begin!)
      begin!()
      // Behind the others.
      this.queue(next)
    }
  }

  private next(): Line | undefined {
    const groups = this.lastWasVouched ? [this.strangers, this.vouched] : [this.vouched, this.strangers]
    const may = ({ ready, begun, ofAll, open, mayBeOpen }: Group) => ready.size > 0 && begun < ofAll && open < mayBeOpen
    const ready = [...(groups.find(may)?.ready ?? [])]
    return minBy(ready, (line) => this.rankOf(line))
  }
}

/** The first of the least. */
function minBy<T>(all: readonly T[], rank: (one: T) => number): T | undefined {
  let [least, lowest]: [T | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const one of all) {
    const its = rank(one)
    if (its < lowest) [least, lowest] = [one, its]
  }
  return least
}
