import { type Day, GENESIS, type Segment } from './heads.ts'
import type { Problem } from './problems.ts'
import type { Seals } from './seals.ts'

/** The heads by themselves: what is wrong with them, and those that the log can be compared with. */
export function checkHeads(
  segments: readonly Segment[],
  days: readonly Day[],
  seals: Seals,
): { problems: Problem[]; sound: Segment[] } {
  const problems: Problem[] = []
  const sound: Segment[] = []
  let before: Pick<Segment, 'seq' | 'last' | 'head'> = { seq: 0, last: 0, head: GENESIS }
  let beforeHolds = true
  for (const segment of segments) {
    const { seq, after, last } = segment
    const adjoins = seq === before.seq + 1
    if (!adjoins) problems.push({ kind: 'head-missing', seq: before.seq + 1, to: seq - 1 })
    // A head behind a forged or missing one is judged by itself.
    const follows: boolean = !adjoins || !beforeHolds || (after === before.last && segment.prev.equals(before.head))
    beforeHolds = seals.holds(segment) && follows
    if (beforeHolds) sound.push(segment)
    else problems.push({ kind: 'head-forged', seq, after, last })
    before = segment
  }
  return { problems: [...problems, ...checkDays(segments, days, seals)], sound }
}

function checkDays(segments: readonly Segment[], days: readonly Day[], seals: Seals): Problem[] {
  const bySeq = new Map(segments.map((segment) => [segment.seq, segment]))
  const problems: Problem[] = []
  const newest = segments[segments.length - 1]?.seq ?? 0
  for (const day of days) {
    const segment = bySeq.get(day.seq)
    if (!seals.signed(day) || (segment && !(segment.head.equals(day.head) && segment.last === day.last)))
      problems.push({ kind: 'day-forged', day: day.day })
  }
  const reached = Math.max(0, ...days.filter((day) => seals.signed(day)).map(({ seq }) => seq))
  if (reached > newest) problems.push({ kind: 'head-missing', seq: newest + 1, to: reached })
  return problems
}
