import { minutes } from '../../../domain/shared/dates.ts'
import type { WorkerLimits } from './limits.ts'
import { createLines } from './lines.ts'

export type Turns = {
  /** The work's answer, or null where it was not begun: too many wait, it waited too long, or `close` was called. */
  inTurn<T>(uploader: string, work: () => Promise<T>): Promise<T | null>
  /** Nothing begins any more. */
  close(): void
}

/**
 * Each uploader has one file under way. Of those who wait, whoever's files have taken least time of late comes next, so
 * that slow files delay their own sender first, however many there are. When too many wait, whoever has sent most loses the
 * newest. `clock`: milliseconds since any moment.
 */
export function createTurns(
  { workers, mostWaiting, waitMs }: WorkerLimits,
  clock: () => number = () => performance.now(),
): Turns {
  const underWay = new Set<string>()
  const lines = createLines(waitMs)
  const taken = createTimes(clock)
  let closed = false

  const beginNext = () => {
    if (underWay.size >= workers) return
    const free = lines.uploaders().filter((uploader) => !underWay.has(uploader))
    const [next] = free.sort((a, b) => taken.of(a) - taken.of(b))
    if (next === undefined) return
    underWay.add(next)
    lines.beginFirst(next)
  }
  return {
    async inTurn(uploader, work) {
      if (closed) return null
      const begins = lines.wait(uploader)
      beginNext()
      lines.cutTo(mostWaiting)
      if (!(await begins)) return null
      const at = clock()
      try {
        return await work()
      } finally {
        taken.add(uploader, clock() - at)
        underWay.delete(uploader)
        beginNext()
      }
    },
    close() {
      closed = true
      lines.cutTo(0)
    },
  }
}

const REMEMBERED = 1000
/** What a file has taken counts half after so long: nobody waits for what was long ago. */
const HALF_LIFE_MS = minutes(5)

/** How long the files of those who sent one last have taken of late. */
function createTimes(clock: () => number) {
  const times = new Map<string, { readonly ms: number; readonly at: number }>()
  const of = (uploader: string) => {
    const known = times.get(uploader)
    return known ? known.ms * 0.5 ** ((clock() - known.at) / HALF_LIFE_MS) : 0
  }
  return {
    of,
    add(uploader: string, ms: number) {
      const sum = of(uploader) + ms
      times.delete(uploader)
      times.set(uploader, { ms: sum, at: clock() })
      const [oldest] = times.keys()
      if (times.size > REMEMBERED && oldest !== undefined) times.delete(oldest)
    },
  }
}
