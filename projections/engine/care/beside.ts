import { type Category, eventsByCategory } from '../../../domain/all-events.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import type { Projection } from '../../projection.ts'
import { handles } from '../fold.ts'
import { inLogOrder } from './waiting-events.ts'

export type BesideLog = Pick<Log, 'read' | 'readLast'>

/** Events in one call. */
const PAGE = 500

/**
 * What the members that a pair's key names did in streams of their own, behind a position: each reading reads only what came
 * since the one before. Of very many the last ones are kept, and every erasure.
 */
export class Beside {
  private readonly streams: Set<string>
  private readonly next = new Map<string, number>()
  private readonly erasures: StoredEvent[] = []
  private others: StoredEvent[] = []
  /** Some were let go of, or are gone with their stream. */
  incomplete = false
  /** The key names nobody beside whom it is of. */
  readonly isNone: boolean

  constructor(
    private readonly log: BesideLog,
    private readonly projection: Projection,
    key: string,
    private readonly after: Position,
    private readonly most: number,
  ) {
    this.streams = new Set(streamsOf(projection, key))
    this.isNone = this.streams.size === 0
  }

  async read(): Promise<readonly StoredEvent[]> {
    await Promise.all([...this.streams].map((stream) => this.readOn(stream)))
    return [...this.erasures, ...this.others]
  }

  private async readOn(stream: string): Promise<void> {
    let next = this.next.get(stream) ?? (await firstBehind(this.log, stream, this.after))
    if (next === null) {
      this.streams.delete(stream)
      this.incomplete = true
      return
    }
    for (let isLeft = true; isLeft; ) {
      const page = await this.log.read(stream, next, undefined, PAGE)
      next = (page[page.length - 1]?.revision ?? next - 1) + 1
      this.next.set(stream, next)
      this.keep(page.filter(({ type, position }) => position > this.after && handles(this.projection, type)))
      isLeft = page.length === PAGE
    }
  }

  private keep(events: readonly StoredEvent[]): void {
    for (const event of events) (event.type === 'AccountErased' ? this.erasures : this.others).push(event)
    if (this.others.length <= this.most) return
    this.incomplete = true
    // Streams are read side by side.
    this.others = inLogOrder(this.others).slice(-this.most)
  }
}

/** A key of one id alone has all that is its own in quarantine. */
function streamsOf(projection: Projection, key: string): string[] {
  const ids = key.split('_')
  if (ids.length < 2) return []
  const categories = (Object.keys(eventsByCategory) as Category[]).filter(
    (category) => category !== 'pair' && eventsByCategory[category].some(({ type }) => handles(projection, type)),
  )
  return ids.flatMap((id) => categories.map((category) => `${category}-${id}`))
}

/**
 * A revision of a stream behind which all its events behind a position are, found by halving; null where the stream has ended. Where
 * events are gone it may be before some that are not behind it.
 */
async function firstBehind(log: BesideLog, stream: string, after: Position): Promise<number | null> {
  const last = await log.readLast(stream)
  if (last === 'ended') return null
  let [low, high] = [0, last ? Number(last.revision) + 1 : 0]
  while (low < high) {
    const middle = (low + high) >> 1
    const [event] = await log.read(stream, middle, undefined, 1)
    if (event && event.position <= after) low = middle + 1
    else high = middle
  }
  return low
}
