import { minutes } from '../../domain/shared/dates.ts'

const WINDOW_MS = minutes(1)
const LINES = 20
/** Counted apart; further ones share a count, so that no crowd of networks is logged without end. */
const KEYS = 1_000
const OTHERS = ''

type Count<Line> = { lines: number; leftOut: number; last?: Line }

/**
 * For what anybody may cause to be logged: a few lines a minute of each key, and once its minute is over the last of those that
 * were left out. `write` gets with a line how many others were left out before it.
 */
export function fewLines<Line>(write: (line: Line, leftOut: number) => void): (key: string, line: Line) => void {
  const counts = new Map<string, Count<Line>>()
  function begin(key: string): Count<Line> {
    const count: Count<Line> = { lines: 0, leftOut: 0 }
    counts.set(key, count)
    setTimeout(() => {
      counts.delete(key)
      if (count.last !== undefined) write(count.last, count.leftOut - 1)
    }, WINDOW_MS).unref()
    return count
  }
  return (key, line) => {
    const own = counts.has(key) || counts.size < KEYS ? key : OTHERS
    const count = counts.get(own) ?? begin(own)
    if (count.lines < LINES) {
      count.lines += 1
      return write(line, 0)
    }
    count.leftOut += 1
    count.last = line
  }
}
