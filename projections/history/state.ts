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

/** Events of a stream, in their order. */
type Pages = AsyncIterable<readonly ReadableEvent[]> | Iterable<readonly ReadableEvent[]>

/** A stream as far as the moments need it. */
export function readStream(reader: EventReader, stream: string, ...moments: readonly Moment[]): Pages {
  const ends = moments.map((moment) => (moment && 'revision' in moment ? moment.revision + 1 : undefined))
  const limit = ends.some((end) => end === undefined) ? undefined : Math.max(...(ends as number[]))
  return reader.ofStream(stream, limit)
}

/** Whether a moment lies before the next event. */
function isBefore(moment: Moment, next: ReadableEvent, last: RecordedEvent | undefined): boolean {
  if (moment === null) return false
  if ('revision' in moment && last?.revision === moment.revision) return true
  if (next instanceof Error) return false
  return 'revision' in moment ? next.revision > moment.revision : next.at.getTime() > moment.at.getTime()
}

/** `open`: as the rules saw it; `marked`: with marks in place of what is not to be read. */
type ShownFold = {
  readonly ending: Ending
  readonly open: ReadonlyMap<string, Plain>
  readonly marked: (path: string) => Plain | undefined
  readonly show: (path: string) => AuditValue | null
}

/**
 * What the stream came to by each of the moments, up to the first event that cannot be read. Folded by the decider that decides on
 * it, so that an auditor sees what the rules saw, and once more with marks: a leaf on which one stands, or above which, rests on
 * what is not to be read. Of the events no more than a page is needed at once.
 */
async function foldsShown(stream: string, pages: Pages, moments: readonly Moment[], eyes: Eyes): Promise<ShownFold[]> {
  const { initial, evolve } = folds.get(categoryOf(stream)) as Fold
  const step = (state: unknown, event: RecordedEvent) => evolve(state as never, event as never)
  let [open, behind] = [initial, initial]
  let last: RecordedEvent | undefined
  const found: (ShownFold | undefined)[] = moments.map(() => undefined)
  const end = (isAt: (moment: Moment) => boolean, broken: string | null = null) => {
    for (const [index, moment] of moments.entries())
      if (isAt(moment)) found[index] ??= shownFold(endingOf(stream, last, broken), { open, behind }, eyes)
  }
  reading: for await (const page of pages)
    for (const event of page) {
      end((moment) => isBefore(moment, event, last))
      if (event instanceof Error) end(() => true, event.message)
      if (event instanceof Error || found.every((one) => one)) break reading
      open = step(open, event)
      behind = step(behind, withMarks(event, eyes))
      last = event
    }
  end(() => true)
  return found as ShownFold[]
}

type States = { readonly open: unknown; readonly behind: unknown }

function shownFold(ending: Ending, states: States, eyes: Eyes): ShownFold {
  const [open, behind] = [leaves(plain(states.open)), leaves(plain(states.behind))]
  const marked = (path: string) => nearest(behind, path)
  const show = (path: string) => (open.has(path) ? shownBehind(marked(path) ?? null, eyes) : null)
  return { ending, open, marked, show }
}

/** The leaf at a path, or the one that replaces a branch of it. */
function nearest(leaves: ReadonlyMap<string, Plain>, path: string): Plain | undefined {
  for (let at = path; at; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) if (leaves.has(at)) return leaves.get(at)
  return leaves.get('')
}

/** The state of a stream at a moment. */
export async function stateAt(
  stream: string,
  pages: Pages,
  { moment, ...eyes }: Eyes & { moment: Moment },
): Promise<StateAt> {
  const [{ ending, open, show }] = (await foldsShown(stream, pages, [moment], eyes)) as [ShownFold]
  const leaves = [...open.keys()].map((path) => ({ path, shown: show(path) as AuditValue }))
  return { ...ending, leaves }
}

function endingOf(stream: string, last: RecordedEvent | undefined, broken: string | null): Ending {
  const point = { stream, revision: last?.revision ?? null, at: last?.at.toISOString() ?? null }
  return broken === null ? point : { ...point, unreadable: broken }
}

/** What is not the same at two moments of a stream. */
export async function differenceOf(
  stream: string,
  pages: Pages,
  { from, to, ...eyes }: Eyes & { from: Moment; to: Moment },
): Promise<Difference> {
  const [before, after] = (await foldsShown(stream, pages, [from, to], eyes)) as [ShownFold, ShownFold]
  const paths = [...new Set([...before.open.keys(), ...after.open.keys()])].sort()
  const changes = paths
    .filter((path) => !equal(before.open.get(path), after.open.get(path)) || isErasedSince(path, before, after))
    .map((path) => ({ path, before: before.show(path), after: after.show(path) }))
  return { from: before.ending, to: after.ending, changes }
}

/** Whether an erased field stood in the log between the two: it had a value then, nobody knows which. */
function isErasedSince(path: string, before: ShownFold, after: ShownFold): boolean {
  const [then, later] = [before.marked(path), after.marked(path)]
  return (isErasedMark(then) || isErasedMark(later)) && !equal(then, later)
}
