import type { WorkerLimits } from './limits.ts'

export type Turns = {
  /** The work's answer, or null where it was not begun: too many wait, it waited too long, or `close` was called. */
  inTurn<T>(uploader: string, work: () => Promise<T>): Promise<T | null>
  /** Nothing begins any more. */
  close(): void
}
type Waiting = (begins: boolean) => void

/**
 * Each uploader has one file under way, and those who wait take turns, however many files each of them has sent. When too
 * many wait, whoever has sent most loses the newest.
 */
export function createTurns({ workers, mostWaiting, waitMs }: WorkerLimits): Turns {
  const underWay = new Set<string>()
  /** In the order of the turns. */
  const lines = new Map<string, Waiting[]>()
  let closed = false

  const beginNext = () => {
    for (const [uploader, line] of lines) {
      if (underWay.size >= workers) return
      if (underWay.has(uploader)) continue
      const [first, ...rest] = line
      lines.delete(uploader)
      if (rest.length > 0) lines.set(uploader, rest)
      underWay.add(uploader)
      first?.(true)
    }
  }
  const leave = (uploader: string, waiting: Waiting) => {
    const rest = (lines.get(uploader) ?? []).filter((one) => one !== waiting)
    if (rest.length > 0) lines.set(uploader, rest)
    else lines.delete(uploader)
    waiting(false)
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
      try {
        return await work()
      } finally {
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
