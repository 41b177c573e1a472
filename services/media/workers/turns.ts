import type { WorkerLimits } from './limits.ts'

export type Turns = {
  /** The work's answer, or null where it was not begun: too many wait, it waited too long, or `close` was called. */
  inTurn<T>(uploader: string, work: () => Promise<T>): Promise<T | null>
  /** Nothing begins any more. */
  close(): void
}
type Waiting = (begins: boolean) => void

/** How many uploaders are remembered by the time they took. */
const REMEMBERED = 1000

/**
 * Each uploader has one file under way. Of those who wait, whoever's files have taken least time comes next, so that slow
 * files delay their own sender first, however many there are. When too many wait, whoever has sent most loses the newest.
 */
export function createTurns({ workers, mostWaiting, waitMs }: WorkerLimits): Turns {
  const underWay = new Set<string>()
  const lines = new Map<string, Waiting[]>()
  const takenMs = new Map<string, number>()
  let closed = false

  const beginNext = () => {
    if (underWay.size >= workers) return
    const taken = (uploader: string) => takenMs.get(uploader) ?? 0
    const free = [...lines.keys()].filter((uploader) => !underWay.has(uploader))
    const [next] = free.sort((a, b) => taken(a) - taken(b))
    if (next === undefined) return
    underWay.add(next)
    const [first] = lines.get(next) ?? []
    if (first) leave(next, first, true)
  }
  const remember = (uploader: string, ms: number) => {
    const before = takenMs.get(uploader) ?? 0
    takenMs.delete(uploader)
    takenMs.set(uploader, before + ms)
    const [oldest] = takenMs.keys()
    if (takenMs.size > REMEMBERED && oldest !== undefined) takenMs.delete(oldest)
  }
  const leave = (uploader: string, waiting: Waiting, begins = false) => {
    const rest = (lines.get(uploader) ?? []).filter((one) => one !== waiting)
    if (rest.length > 0) lines.set(uploader, rest)
    else lines.delete(uploader)
    waiting(begins)
  }
  const makeRoom = () => {
    const all = [...lines]
    if (all.reduce((sum, [, line]) => sum + line.length, 0) <= mostWaiting) return
    const [longest] = all.sort(([, a], [, b]) => b.length - a.length)
    const newest = longest?.[1].at(-1)
    if (longest && newest) leave(longest[0], newest)
  }
  const begin = (uploader: string) =>
    new Promise<boolean>((resolve) => {
      const late = setTimeout(() => leave(uploader, waiting), waitMs)
      const waiting: Waiting = (begins) => {
        clearTimeout(late)
        resolve(begins)
      }
      lines.set(uploader, [...(lines.get(uploader) ?? []), waiting])
      beginNext()
      makeRoom()
    })

  return {
    async inTurn(uploader, work) {
      if (closed || !(await begin(uploader))) return null
      const began = performance.now()
      try {
        return await work()
      } finally {
        remember(uploader, performance.now() - began)
        underWay.delete(uploader)
        beginNext()
      }
    },
    close() {
      closed = true
      for (const [uploader, line] of [...lines]) for (const waiting of line) leave(uploader, waiting)
    },
  }
}
