import { checkHeads } from './check-heads.ts'
import { compare } from './compare.ts'
import { type ChainDeps, type Extended, extendChain } from './extend.ts'
import { type Day, readDays, readPacked, readSegments, type Segment } from './heads.ts'
import { type ListedEvent, readListing, sha256, unpack } from './listing.ts'
import { mayBeGone, subjectOf } from './missing.ts'
import type { Problem } from './problems.ts'
import { type Differing, scanSegments } from './scan.ts'
import { scanInWorkers } from './scan-in-workers.ts'
import type { ChainSource, StreamNow } from './source.ts'

export type ChainVerdict = {
  /** Nothing to complain about. */
  readonly ok: boolean
  readonly problems: readonly Problem[]
  /** Sealed events that were compared with their heads, and those that this call sealed. */
  readonly events: number
  readonly sealed: number
  readonly heads: number
  readonly days: readonly Day[]
  /** The newest head after the call; null for an empty chain. */
  readonly head: Segment | null
  /** Events that a scavenge took, by stream: their streams' own metadata or tombstones gave them up. */
  readonly scavenged: ReadonlyMap<string, number>
}

export type VerifyOptions = {
  /** Events behind it, of how many; `what` changes when sealing begins. */
  readonly onProgress?: (progress: { what: 'verified' | 'sealed'; done: number; total: number }) => void
  /** A head in hexadecimal that was known outside: the chain must go through it. */
  readonly expect?: string
  /** How many share the reading where the log is a table. */
  readonly workers?: number
  /** Fewer events are not worth a worker. */
  readonly workersFrom?: number
}

const WORKERS = 2
const WORKERS_FROM = 100_000

/**
 * Holds the log against everything that was sealed and names what differs; then seals what is new. An erasure changes
 * nothing, since sealed bytes stay. Nothing is sealed on top of a log that differs.
 */
export async function verifyChain(deps: ChainDeps, options: VerifyOptions = {}): Promise<ChainVerdict> {
  const { pool, seals } = deps
  const { onProgress = () => {} } = options
  const [segments, days] = [await readSegments(pool), await readDays(pool)]
  const { problems, sound } = checkHeads(segments, days, seals)
  const { expect } = options
  if (expect && !segments.some(({ head }) => head.toString('hex') === expect))
    problems.push({ kind: 'head-unknown', head: expect })
  const total = sound.reduce((sum, { events }) => sum + events, 0)
  const differing = await scan(deps, sound, options, (done) => onProgress({ what: 'verified', done, total }))
  const scavenged = new Map<string, number>()
  const explaining = { ...deps, source: remembering(deps.source) }
  for (const one of differing) problems.push(...(await explain(explaining, sound, one, scavenged)))
  const extended: Extended =
    problems.length > 0
      ? { state: 'broken', events: 0, days: [] }
      : await extendChain(deps, (done) => onProgress({ what: 'sealed', done, total: done }))
  const after = extended.events > 0 ? await readSegments(pool) : segments
  return {
    ok: problems.length === 0,
    problems,
    events: total,
    sealed: extended.events,
    heads: after.length,
    days: [...days, ...extended.days],
    head: after[after.length - 1] ?? null,
    scavenged,
  }
}

function scan(
  { source, signal }: ChainDeps,
  sound: readonly Segment[],
  { workers = WORKERS, workersFrom = WORKERS_FROM }: VerifyOptions,
  onEvents: (done: number) => void,
): Promise<Differing[]> {
  const events = sound.reduce((sum, one) => sum + one.events, 0)
  const wanted = sound.map(({ seq, after, last, events, content }) => ({ seq, after, last, events, content }))
  return source.database && events >= workersFrom && workers > 1
    ? scanInWorkers(source.database, wanted, workers, onEvents, signal)
    : scanSegments(source, wanted, onEvents, signal)
}

async function explain(
  deps: ChainDeps,
  sound: readonly Segment[],
  { seq, bytes }: Differing,
  scavenged: Map<string, number>,
): Promise<Problem[]> {
  const segment = sound.find((one) => one.seq === seq)!
  const packed = await readPacked(deps.pool, seq)
  const listing = packed && unpack(packed)
  if (!listing || !sha256(listing).equals(segment.listing))
    return [{ kind: 'unnamed', seq, after: segment.after, last: segment.last }]
  const { gone, problems } = compare(readListing(listing), readListing(bytes))
  for (const one of gone) {
    const { position, stream, revision } = one
    if (await isScavenged(deps, one)) scavenged.set(stream, (scavenged.get(stream) ?? 0) + 1)
    else problems.push({ kind: 'removed', position, stream, revision })
  }
  return problems.sort((a, b) => ('position' in a && 'position' in b ? a.position - b.position : 0))
}

async function isScavenged({ source, now }: ChainDeps, listed: ListedEvent): Promise<boolean> {
  const subject = subjectOf(listed.stream)
  const own = await source.streamNow(listed.stream)
  return mayBeGone(listed, now(), { own, subject: subject === null ? null : await source.streamNow(subject) })
}

/** Asks once for each stream: a scavenge takes many events of few streams. */
function remembering(source: ChainSource): ChainSource {
  const known = new Map<string, Promise<StreamNow>>()
  return {
    ...source,
    streamNow(stream) {
      const asked = known.get(stream) ?? source.streamNow(stream)
      known.set(stream, asked)
      return asked
    },
  }
}
