type Waiting = { readonly arrived: number; readonly end: (begins: boolean) => void }

export type Lines = {
  /** At the end of the uploader's line. Resolves with whether it begins; not when it has waited too long, or `left` ends. */
  wait(uploader: string, left?: AbortSignal): Promise<boolean>
  /** Who waits, first whoever has waited longest since a file of theirs began. */
  uploaders(): string[]
  beginFirst(uploader: string): void
  /** Refuses the newest file of the longest line, of lines as long the one that came last, until this many wait. */
  cutTo(most: number): void
}

/** A line of waiting files for each uploader. */
export function createLines(waitMs: number): Lines {
  const lines = new Map<string, Waiting[]>()
  let arrivals = 0
  const leave = (uploader: string, waiting: Waiting | undefined, begins: boolean) => {
    const rest = (lines.get(uploader) ?? []).filter((one) => one !== waiting)
    if (rest.length > 0) lines.set(uploader, rest)
    else lines.delete(uploader)
    waiting?.end(begins)
  }
  const count = () => [...lines.values()].reduce((sum, line) => sum + line.length, 0)
  return {
    wait: (uploader, left) =>
      new Promise((resolve) => {
        const end = (begins: boolean) => {
          clearTimeout(late)
          left?.removeEventListener('abort', giveUp)
          resolve(begins)
        }
        const waiting: Waiting = { arrived: ++arrivals, end }
        const giveUp = () => leave(uploader, waiting, false)
        const late = setTimeout(giveUp, waitMs)
        left?.addEventListener('abort', giveUp, { once: true })
        lines.set(uploader, [...(lines.get(uploader) ?? []), waiting])
      }),
    uploaders: () => [...lines.keys()],
    beginFirst(uploader) {
      const line = lines.get(uploader) ?? []
      lines.delete(uploader)
      lines.set(uploader, line)
      leave(uploader, line[0], true)
    },
    cutTo(most) {
      while (count() > most) {
        const [longest] = [...lines].sort(([, a], [, b]) => b.length - a.length || newestOf(b) - newestOf(a))
        if (longest) leave(longest[0], longest[1].at(-1), false)
      }
    },
  }
}

const newestOf = (line: readonly Waiting[]) => line.at(-1)?.arrived ?? 0
