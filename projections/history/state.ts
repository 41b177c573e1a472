import type { RecordedEvent } from '../../domain/all-events.ts'
import { auditDecider } from '../../domain/audit/decider.ts'
import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { inboxDecider } from '../../domain/inbox/decider.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import { safetyDecider } from '../../domain/safety/decider.ts'
import type { EventSource } from './events-of.ts'
import { type Opened, type Shown, withoutSealed } from './masking.ts'
import { equal, leaves, type Plain, plain } from './plain.ts'

type Fold = { readonly initial: unknown; readonly evolve: (state: never, event: never) => unknown }
const deciders: readonly (Fold & { readonly category: string })[] = [
  memberDecider,
  emailDecider,
  profileDecider,
  galleryDecider,
  pairDecider,
  inboxDecider,
  safetyDecider,
  auditDecider,
]
const folds: ReadonlyMap<string, Fold> = new Map(deciders.map((decider) => [decider.category, decider]))

/** A place in a stream: a revision, or all that had happened by a moment. Without either, as it stands. */
export type Moment = { readonly revision: number } | { readonly at: Date } | null

export type Leaf = { readonly path: string; readonly shown: Shown }
/** A place in a stream: `revision` is the last event's that is in it; null before the first. */
export type Place = { readonly stream: string; readonly revision: number | null; readonly at: string | null }
/** What a stream came to. */
export type StateAt = Place & { readonly leaves: readonly Leaf[] }
export type Changed = { readonly path: string; readonly before: Shown | null; readonly after: Shown | null }
export type Difference = { readonly from: Place; readonly to: Place; readonly changes: readonly Changed[] }

/** Whether a decider folds streams of this name. */
export const hasState = (stream: string): boolean => folds.has(categoryOf(stream))

const categoryOf = (stream: string) => stream.slice(0, stream.indexOf('-'))

/** A stream as far as the moments need it. */
export async function readStream(
  { log, codec }: EventSource,
  stream: string,
  ...moments: readonly Moment[]
): Promise<RecordedEvent[]> {
  const ends = moments.map((moment) => (moment && 'revision' in moment ? moment.revision + 1 : undefined))
  const limit = ends.some((end) => end === undefined) ? undefined : Math.max(...(ends as number[]))
  return (await codec.decode(await log.read(stream, 0, undefined, limit))) as RecordedEvent[]
}

function upTo(events: readonly RecordedEvent[], moment: Moment): readonly RecordedEvent[] {
  if (moment === null) return events
  const past = (event: RecordedEvent) =>
    'revision' in moment ? event.revision > moment.revision : event.at.getTime() > moment.at.getTime()
  const end = events.findIndex(past)
  return end < 0 ? events : events.slice(0, end)
}

/** Folded by the decider that decides on the stream, so that an auditor sees what the rules saw. */
function foldOf(stream: string, events: readonly RecordedEvent[]): Map<string, Plain> {
  const { initial, evolve } = folds.get(categoryOf(stream)) as Fold
  return leaves(plain(events.reduce((state, event) => evolve(state as never, event as never), initial)))
}

/** Folded twice, once without what is sealed: a leaf that differs comes from a sealed field. */
function foldShown(stream: string, events: readonly RecordedEvent[], opened: Opened) {
  const open = foldOf(stream, events)
  const closed = foldOf(
    stream,
    events.map((event) => withoutSealed(event, opened)),
  )
  const show = (path: string): Shown | null => {
    const value = open.get(path)
    if (value === undefined) return null
    return equal(value, closed.get(path)) ? { value } : { hidden: 'sealed' }
  }
  return { open, show }
}

/** The state of a stream at a moment. */
export function stateAt(
  stream: string,
  all: readonly RecordedEvent[],
  { moment, opened }: { moment: Moment; opened: Opened },
): StateAt {
  const events = upTo(all, moment)
  const { open, show } = foldShown(stream, events, opened)
  const leaves = [...open.keys()].map((path) => ({ path, shown: show(path) as Shown }))
  return { ...placeOf(stream, events), leaves }
}

function placeOf(stream: string, events: readonly RecordedEvent[]): Place {
  const last = events[events.length - 1]
  return { stream, revision: last?.revision ?? null, at: last?.at.toISOString() ?? null }
}

/** What is not the same at two moments of a stream. */
export function differenceOf(
  stream: string,
  all: readonly RecordedEvent[],
  { from, to, opened }: { from: Moment; to: Moment; opened: Opened },
): Difference {
  const [earlier, later] = [upTo(all, from), upTo(all, to)]
  const [a, b] = [foldShown(stream, earlier, opened), foldShown(stream, later, opened)]
  const paths = [...new Set([...a.open.keys(), ...b.open.keys()])].sort()
  const changes = paths
    .filter((path) => !equal(a.open.get(path), b.open.get(path)))
    .map((path) => ({ path, before: a.show(path), after: b.show(path) }))
  return { from: placeOf(stream, earlier), to: placeOf(stream, later), changes }
}
