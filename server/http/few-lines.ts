import { minutes } from '../../domain/shared/dates.ts'
import type { Clock } from '../../services/clock.ts'

const WINDOW_MS = minutes(1)
const LINES = 20
/** Counted apart; further ones share a count while these are in use, so that no crowd of networks is logged without end. */
const KEYS = 1_000

type Count = { startedAt: number; lines: number; leftOut: number }

/**
 * For what anybody may cause to be logged: a few lines a minute of each key. Answers how many were left out since the key's line
 * before, or null where this one is left out as well.
 */
export function fewLines(now: Clock): (key: string) => number | null {
  const counts = new Map<string, Count>()
  const others = begun(Number.NEGATIVE_INFINITY)
  return (key) => {
    const at = now().getTime()
    const count = countOf(counts, key, at) ?? others
    if (isOver(count, at)) Object.assign(count, { startedAt: at, lines: 0 })
    if (count.lines >= LINES) {
      count.leftOut++
      return null
    }
    count.lines++
    const { leftOut } = count
    count.leftOut = 0
    return leftOut
  }
}

const begun = (startedAt: number): Count => ({ startedAt, lines: 0, leftOut: 0 })
const isOver = ({ startedAt }: Count, at: number) => at - startedAt >= WINDOW_MS

/** The key's own count, or null where too many others are in use. They stand in the order in which their minutes began. */
function countOf(counts: Map<string, Count>, key: string, at: number): Count | null {
  const known = counts.get(key)
  if (known && !isOver(known, at)) return known
  counts.delete(key)
  const [oldest] = counts
  if (oldest && counts.size >= KEYS) {
    if (!isOver(oldest[1], at)) return null
    counts.delete(oldest[0])
  }
  const count = { ...begun(at), leftOut: known?.leftOut ?? 0 }
  counts.set(key, count)
  return count
}
