const LOOK_EVERY_MS = 1_000

/** Whether members' pages show the log of now; without it, a process answers as one that starts. */
export type ShownLog = {
  isShown(): boolean
  /** Looks for the first time. */
  start(): Promise<void>
  /**
   * Does it at once where they do, and else behind the look that finds that they do, which nobody waits for. A realtime node would
   * before that read the whole log for the rights of nobody, since sockets are refused.
   */
  onceShown(work: () => Promise<void>): Promise<void>
  stop(): void
}

/**
 * Looks until they do, and never again: a log is set back while every process is stopped. A database that does not answer counts
 * as one that shows something else. `failed` hears why what was to be done then was not.
 */
export function watchShownLog(
  showsOther: () => Promise<boolean>,
  failed: (error: Error) => void,
  everyMs = LOOK_EVERY_MS,
): ShownLog {
  let shown = false
  let stopped = false
  let next: NodeJS.Timeout | undefined
  let late: (() => Promise<void>) | undefined
  const begin = () => late?.().catch((error: Error) => stopped || failed(error))
  const look = async () => {
    shown = !(await showsOther().catch(() => true))
    if (stopped) return
    if (shown) void begin()
    else next = setTimeout(look, everyMs).unref()
  }
  return {
    isShown: () => shown,
    start: look,
    async onceShown(work) {
      if (shown) return work()
      late = work
    },
    stop() {
      stopped = true
      clearTimeout(next)
    },
  }
}
