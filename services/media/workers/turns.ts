import type { WorkerLimits } from './limits.ts'
import { createLines } from './lines.ts'

export type Turns = {
  /** The work's answer, or null where it was not begun: too many wait, it waited too long, or `close` was called. */
  inTurn<T>(uploader: string, work: () => Promise<T>): Promise<T | null>
  /** Nothing begins any more. */
  close(): void
}

/**
 * Each uploader has one file under way. Of those who wait, whoever's files have taken least time comes next, so that slow
 * files delay their own sender first, however many there are. When too many wait, whoever has sent most loses the newest.
 */
export function createTurns({ workers, mostWaiting, waitMs }: WorkerLimits): Turns {
  const underWay = new Set<string>()
  const lines = createLines(waitMs)
  const taken = createTimes()
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
      const at = performance.now()
      try {
        return await work()
      } finally {
        taken.add(uploader, performance.now() - at)
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

/** How long the files of those who sent one last have taken. */
function createTimes() {
  const times = new Map<string, number>()
  return {
    of: (uploader: string) => times.get(uploader) ?? 0,
    add(uploader: string, ms: number) {
      const before = times.get(uploader) ?? 0
      times.delete(uploader)
      times.set(uploader, before + ms)
      const [oldest] = times.keys()
      if (times.size > REMEMBERED && oldest !== undefined) times.delete(oldest)
    },
  }
}
