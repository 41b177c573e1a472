import { createHash } from 'node:crypto'
import type { Segment } from './heads.ts'
import { Listing } from './listing.ts'
import type { ChainSource } from './source.ts'
import { positionOf, type Tuple } from './tuple.ts'

/** What a scan has to know of a segment; plain, so that it travels to a worker. */
export type SegmentToScan = Pick<Segment, 'seq' | 'after' | 'last' | 'events' | 'content'>
/** A segment whose events are not those that were sealed: the points and digests that are there. */
export type Differing = { readonly seq: number; readonly bytes: Buffer }

const CHUNK = 256 * 1024

/**
 * Reads the events of sound segments in one pass and answers those segments that differ. Segments come in log order.
 * `onEvents` hears how many sealed events are behind it.
 */
export async function scanSegments(
  source: ChainSource,
  wanted: readonly SegmentToScan[],
  onEvents: (count: number) => void,
  signal?: AbortSignal,
): Promise<Differing[]> {
  const first = wanted[0]
  const last = wanted[wanted.length - 1]
  if (!first || !last) return []
  const scanner = new Scanner(wanted, onEvents)
  await source.each({ after: first.after, to: last.last }, (tuple) => scanner.take(tuple), signal)
  const differing: Differing[] = []
  for (const { seq, after, last: to } of scanner.end()) {
    const listing = new Listing()
    await source.each({ after, to }, (tuple) => listing.add(tuple), signal)
    differing.push({ seq, bytes: listing.take() })
  }
  return differing
}

/** Hashes the tuples of one segment after the other, in large bites. */
class Scanner {
  private readonly chunk = Buffer.allocUnsafe(CHUNK)
  private used = 0
  private hash = createHash('sha256')
  private index = 0
  private done = 0
  private readonly differing: SegmentToScan[] = []

  constructor(
    private readonly wanted: readonly SegmentToScan[],
    private readonly onEvents: (count: number) => void,
  ) {}

  take(tuple: Tuple): void {
    const position = positionOf(tuple)
    while (this.index < this.wanted.length && position > this.wanted[this.index]!.last) this.close()
    const segment = this.wanted[this.index]
    // Between two sound heads there may be a broken one: its events are nobody's.
    if (segment && (position > segment.after || segment.after === 0)) this.hashIn(tuple)
  }

  end(): readonly SegmentToScan[] {
    while (this.index < this.wanted.length) this.close()
    return this.differing
  }

  private hashIn(tuple: Tuple): void {
    if (this.used + tuple.length > CHUNK) this.flush()
    if (tuple.length > CHUNK) this.hash.update(tuple)
    else this.used += tuple.copy(this.chunk, this.used)
  }

  private flush(): void {
    if (this.used > 0) this.hash.update(this.chunk.subarray(0, this.used))
    this.used = 0
  }

  private close(): void {
    this.flush()
    const segment = this.wanted[this.index++]!
    if (!this.hash.digest().equals(segment.content)) this.differing.push(segment)
    this.hash = createHash('sha256')
    this.done += segment.events
    this.onEvents(this.done)
  }
}
