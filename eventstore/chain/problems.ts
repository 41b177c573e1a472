import type { EventPoint } from './tuple.ts'

type At = { readonly position: number; readonly stream: string; readonly revision: number }

/** What the log or its heads are not, by comparison with what was sealed. */
export type Problem =
  /** Its bytes are others: data, metadata, type, id or time. `now` is there where its point changed too. */
  | ({ readonly kind: 'changed'; readonly now?: EventPoint } & At)
  /** It is at `position`, and was at `from` when it was sealed. */
  | ({ readonly kind: 'moved'; readonly from: number } & At)
  | ({ readonly kind: 'removed' } & At)
  | ({ readonly kind: 'added' } & At)
  /** Some of these events are not what was sealed; which ones is unknown, since the listing was altered too. */
  | { readonly kind: 'unnamed'; readonly seq: number; readonly after: number; readonly last: number }
  /** The head is not the one that this product wrote, or does not follow on the one before. */
  | { readonly kind: 'head-forged'; readonly seq: number; readonly after: number; readonly last: number }
  | { readonly kind: 'head-missing'; readonly seq: number; readonly to: number }
  /** The chain never went through a head that somebody outside knows. */
  | { readonly kind: 'head-unknown'; readonly head: string }
  | { readonly kind: 'day-forged'; readonly day: string }

/** One line for a person; it contains no event's content. */
export function describeProblem(problem: Problem): string {
  switch (problem.kind) {
    case 'changed': {
      const { now } = problem
      const other = now && ` It reads as ${now.stream}, revision ${now.revision}.`
      return `Changed: ${placeOf(problem)}.${other ?? ''}`
    }
    case 'moved':
      return `Moved: ${placeOf(problem)}. It was sealed at position ${problem.from}.`
    case 'removed':
      return `Removed: ${placeOf(problem)}.`
    case 'added':
      return `Added: ${placeOf(problem)}. It was not there when its neighbours were sealed.`
    case 'unnamed':
      return `Changed: events of ${spanOf(problem)}. Which ones cannot be said: the listing of head ${problem.seq} was altered too.`
    case 'head-forged':
      return `Forged: head ${problem.seq} (${spanOf(problem)}) is not the one that was sealed.`
    case 'head-missing':
      return problem.seq === problem.to
        ? `Missing: head ${problem.seq}.`
        : `Missing: heads ${problem.seq} to ${problem.to}.`
    case 'head-unknown':
      return `Unknown: the chain does not go through the head ${problem.head}.`
    case 'day-forged':
      return `Forged: the signed head of ${problem.day}.`
  }
}

const placeOf = ({ position, stream, revision }: At) => `position ${position}, ${stream}, revision ${revision}`
const spanOf = ({ after, last }: { after: number; last: number }) => `positions ${after + 1} to ${last}`
