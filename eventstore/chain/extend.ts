import { createHash } from 'node:crypto'
import type pg from 'pg'
import { addDay, addSegment, type Day, endedDays, GENESIS, readTip, type Segment } from './heads.ts'
import { Listing, pack, sha256 } from './listing.ts'
import type { Seals } from './seals.ts'
import type { ChainSource } from './source.ts'
import { createdOf, positionOf, type Tuple } from './tuple.ts'

/** Small enough that a damaged segment is searched in no time, large enough that heads are few. */
export const SEGMENT_EVENTS = 4_096
const ROUND_EVENTS = 16 * SEGMENT_EVENTS

export type ChainDeps = {
  /** Of the product's database: the heads are in its schema `app`, away from the log. */
  readonly pool: pg.Pool
  readonly source: ChainSource
  readonly seals: Seals
  readonly now: () => Date
  readonly signal?: AbortSignal
}

/**
 * `behind`: the log ends before the last sealed event. `broken`: the last head was altered. Nothing is added to either.
 */
export type Extended = {
  readonly state: 'sealed' | 'behind' | 'broken'
  /** Events that this call sealed. */
  readonly events: number
  readonly days: readonly Day[]
}

/**
 * Seals what follows the last head in the log, and signs the days that are over. Any number of processes may do it
 * at once: each head has one number and the first to write it wins.
 */
export async function extendChain(deps: ChainDeps, onEvents: (count: number) => void = () => {}): Promise<Extended> {
  const { pool, source, seals, now, signal } = deps
  let sealed = 0
  for (;;) {
    const tip = await readTip(pool)
    // Asked after the tip, which other processes move on.
    const head = await source.head(signal)
    if (tip && !seals.holds(tip)) return { state: 'broken', events: sealed, days: [] }
    if (tip && tip.last > head) return { state: 'behind', events: sealed, days: [] }
    const round = await sealRound(deps, tip, head)
    sealed += round.sealed
    if (round.sealed > 0) onEvents(sealed)
    if (round.done) break
  }
  const days: Day[] = []
  for (const day of await endedDays(pool, dayOf(now()))) {
    const signed = { ...day, signature: seals.sign(day) }
    if (await addDay(pool, signed)) days.push(signed)
  }
  return { state: 'sealed', events: sealed, days }
}

/** `done` is false while there is more to seal, also when another process was first. */
async function sealRound(
  { pool, source, seals, signal }: ChainDeps,
  tip: Segment | null,
  head: number,
): Promise<{ sealed: number; done: boolean }> {
  const cut: Cut[] = []
  const cutter = new Cutter(tip?.day ?? '', (one) => cut.push(one))
  const span = { after: tip?.last ?? 0, to: head, limit: ROUND_EVENTS }
  const read = await source.each(span, (tuple) => cutter.take(tuple), signal)
  cutter.end()
  let last = tip
  let sealed = 0
  for (const one of cut) {
    const segment = linkedTo(last, one, seals)
    if (!(await addSegment(pool, segment, pack(one.bytes)))) return { sealed, done: false }
    sealed += segment.events
    last = segment
  }
  return { sealed, done: read < ROUND_EVENTS }
}

type Cut = { readonly last: number; readonly events: number; readonly day: string; content: Buffer; bytes: Buffer }

/** Cuts the events into segments: none is too long, and none reaches over midnight. */
class Cutter {
  private readonly listing = new Listing()
  private content = createHash('sha256')
  private last = 0
  private today = Number.NaN

  constructor(
    private day: string,
    private readonly put: (cut: Cut) => void,
  ) {}

  take(tuple: Tuple): void {
    const today = Math.floor(createdOf(tuple) / DAY_MICROSECONDS)
    if (today !== this.today) {
      this.end()
      this.today = today
      // A clock that was set back begins no day anew.
      const day = dayOf(new Date(today * DAY_MS))
      if (day > this.day) this.day = day
    }
    this.listing.add(tuple)
    this.content.update(tuple)
    this.last = positionOf(tuple)
    if (this.listing.count === SEGMENT_EVENTS) this.end()
  }

  end(): void {
    const events = this.listing.count
    if (events === 0) return
    const { last, day } = this
    this.put({ last, events, day, content: this.content.digest(), bytes: this.listing.take() })
    this.content = createHash('sha256')
  }
}

function linkedTo(before: Segment | null, { last, events, day, content, bytes }: Cut, seals: Seals): Segment {
  const prev = before?.head ?? GENESIS
  const listing = sha256(bytes)
  const head = headOf({ prev, content, listing })
  const after = before?.last ?? 0
  const segment = { seq: (before?.seq ?? 0) + 1, after, last, events, day, prev, content, listing, head }
  return { ...segment, mac: seals.mac(segment) }
}

export const headOf = ({ prev, content, listing }: Pick<Segment, 'prev' | 'content' | 'listing'>): Buffer =>
  sha256(prev, content, listing)

const DAY_MS = 86_400_000
const DAY_MICROSECONDS = DAY_MS * 1_000

/** UTC. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
