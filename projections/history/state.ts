import { allDeciders } from '../../domain/all-deciders.ts'
import type { RecordedEvent } from '../../domain/all-events.ts'
import type { EventReader } from './event-reader.ts'
import { isErasedMark, shownBehind, withMarks } from './marks.ts'
import type { AuditValue, Eyes } from './masking.ts'
import { equal, leaves, type Plain, plain } from './plain.ts'
import type { ReadableEvent } from './recent-events.ts'

type Fold = { readonly initial: unknown; readonly evolve: (state: never, event: never) => unknown }
const folds: ReadonlyMap<string, Fold> = new Map(allDeciders.map((decider) => [decider.category, decider]))

/** A point of a stream: a revision, or all that had happened by a moment. Without either, as it stands. */
export type Moment = { readonly revision: number } | { readonly at: Date } | null

export type Leaf = { readonly path: string; readonly shown: AuditValue }
/** A point of a stream: `revision` is the last event's that is in it; null before the first. */
export type StreamPoint = { readonly stream: string; readonly revision: number | null; readonly at: string | null }
/** `unreadable`: why nothing behind the last event here could be folded, though more was asked for. */
type Ending = StreamPoint & { readonly unreadable?: string }
/** What a stream came to. */
export type StateAt = Ending & { readonly leaves: readonly Leaf[] }
export type Changed = { readonly path: string; readonly before: AuditValue | null; readonly after: AuditValue | null }
export type Difference = { readonly from: Ending; readonly to: Ending; readonly changes: readonly Changed[] }

/** Whether a decider folds streams of this name. */
export const hasState = (stream: string): boolean => folds.has(categoryOf(stream))

const categoryOf = (stream: string) => stream.slice(0, stream.indexOf('-'))

/** A stream as far as the moments need it. */
export async function readStream(
  reader: EventReader,
  stream: string,
  ...moments: readonly Moment[]
): Promise<ReadableEvent[]> {
  const ends = moments.map((moment) => (moment && 'revision' in moment ? moment.revision + 1 : undefined))
  const limit = ends.some((end) => end === undefined) ? undefined : Math.max(...(ends as number[]))
  const events: ReadableEvent[] = []
  for await (const page of reader.ofStream(stream, limit)) events.push(...page)
  return events
}

/** What had happened by a moment, up to the first event that cannot be read. */
type Past = { readonly events: readonly RecordedEvent[]; readonly broken: string | null }

function upTo(all: readonly ReadableEvent[], moment: Moment): Past {
  const past = (event: RecordedEvent) =>
    moment !== null &&
    ('revision' in moment ? event.revision > moment.revision : event.at.getTime() > moment.at.getTime())
  const events: RecordedEvent[] = []
  for (const event of all) {
    if (moment && 'revision' in moment && events[events.length - 1]?.revision === moment.revision) break
    if (event instanceof Error) return { events, broken: event.message }
    if (past(event)) break
    events.push(event)
  }
  return { events, broken: null }
}

/**
 * Folded by the decider that decides on the stream, so that an auditor sees what the rules saw; a state for each count.
 */
function foldsAt(stream: string, events: readonly RecordedEvent[], counts: readonly number[]): Map<string, Plain>[] {
  const { initial, evolve } = folds.get(categoryOf(stream)) as Fold
  const found = new Map<number, Map<string, Plain>>()
  let state = initial
  for (let count = 0; count <= events.length; count++) {
    if (counts.includes(count)) found.set(count, leaves(plain(state)))
    if (count < events.length) state = evolve(state as never, events[count] as never)
  }
  return counts.map((count) => found.get(count) as Map<string, Plain>)
}

/** `open`: as the rules saw it; `marked`: with marks in place of what is not to be read. */
type ShownFold = {
  readonly open: ReadonlyMap<string, Plain>
  readonly marked: (path: string) => Plain | undefined
  readonly show: (path: string) => AuditValue | null
}

/** Folded twice, once with marks: a leaf on which one stands, or above which, rests on what is not to be read. */
function foldsShown(stream: string, pasts: readonly Past[], eyes: Eyes): ShownFold[] {
  const counts = pasts.map(({ events }) => events.length)
  const longest = pasts.find(({ events }) => events.length === Math.max(...counts))?.events ?? []
  const open = foldsAt(stream, longest, counts)
  const behind = foldsAt(
    stream,
    longest.map((event) => withMarks(event, eyes)),
    counts,
  )
  return open.map((leaves, index) => {
    const marked = (path: string) => nearest(behind[index] as Map<string, Plain>, path)
    const show = (path: string) => (leaves.has(path) ? shownBehind(marked(path) ?? null, eyes) : null)
    return { open: leaves, marked, show }
  })
}

/** The leaf at a path, or the one that replaces a branch of it. */
function nearest(leaves: ReadonlyMap<string, Plain>, path: string): Plain | undefined {
  for (let at = path; at; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) if (leaves.has(at)) return leaves.get(at)
  return leaves.get('')
}

/** The state of a stream at a moment. */
export function stateAt(
  stream: string,
  all: readonly ReadableEvent[],
  { moment, ...eyes }: Eyes & { moment: Moment },
): StateAt {
  const past = upTo(all, moment)
  const [{ open, show }] = foldsShown(stream, [past], eyes) as [ShownFold]
  const leaves = [...open.keys()].map((path) => ({ path, shown: show(path) as AuditValue }))
  return { ...endingOf(stream, past), leaves }
}

function endingOf(stream: string, { events, broken }: Past): Ending {
  const last = events[events.length - 1]
  const point = { stream, revision: last?.revision ?? null, at: last?.at.toISOString() ?? null }
  return broken === null ? point : { ...point, unreadable: broken }
}

/** What is not the same at two moments of a stream. */
export function differenceOf(
  stream: string,
  all: readonly ReadableEvent[],
  { from, to, ...eyes }: Eyes & { from: Moment; to: Moment },
): Difference {
  const pasts = [upTo(all, from), upTo(all, to)] as const
  const [before, after] = foldsShown(stream, pasts, eyes) as [ShownFold, ShownFold]
  const paths = [...new Set([...before.open.keys(), ...after.open.keys()])].sort()
  const changes = paths
    .filter((path) => !equal(before.open.get(path), after.open.get(path)) || isErasedSince(path, before, after))
    .map((path) => ({ path, before: before.show(path), after: after.show(path) }))
  return { from: endingOf(stream, pasts[0]), to: endingOf(stream, pasts[1]), changes }
}

/** Whether an erased field stood in the log between the two: it had a value then, nobody knows which. */
function isErasedSince(path: string, before: ShownFold, after: ShownFold): boolean {
  const [then, later] = [before.marked(path), after.marked(path)]
  return (isErasedMark(then) || isErasedMark(later)) && !equal(then, later)
}
