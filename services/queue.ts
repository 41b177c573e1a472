/** Runs a task when it is its line's turn. */
export type InTurn = <T>(task: () => Promise<T>, line?: string) => Promise<T>

/** Runs at most `limit` tasks at once. Lines take turns; within one, tasks begin in the order they came. */
export function createQueue(limit: number): InTurn {
  /** By line, the one whose turn is next first. */
  const waiting = new Map<string, (() => void)[]>()
  let running = 0
  const wait = (line: string) =>
    new Promise<void>((begin) => {
      const before = waiting.get(line)
      if (before) before.push(begin)
      else waiting.set(line, [begin])
    })
  const next = () => {
    const [line, tasks] = waiting.entries().next().value ?? []
    const begin = tasks?.shift()
    if (line === undefined || !tasks || !begin) {
      running--
      return
    }
    waiting.delete(line)
    if (tasks.length > 0) waiting.set(line, tasks)
    begin()
  }
  return async (task, line = '') => {
    if (running >= limit) await wait(line)
    else running++
    try {
      return await task()
    } finally {
      next()
    }
  }
}
