const LOOK_EVERY_MS = 1_000

/** Whether members' pages show the log of now; without it, a process answers as one that starts. */
export type ShownLog = { isShown(): boolean; start(): Promise<void>; stop(): void }

/**
 * Looks until they do, and never again: a log is set back while every process is stopped. A database that does not answer counts
 * as one that shows something else.
 */
export function watchShownLog(showsOther: () => Promise<boolean>, everyMs = LOOK_EVERY_MS): ShownLog {
  let shown = false
  let stopped = false
  let next: NodeJS.Timeout | undefined
  const look = async () => {
    shown = !(await showsOther().catch(() => true))
    if (!shown && !stopped) next = setTimeout(look, everyMs).unref()
  }
  return {
    isShown: () => shown,
    start: look,
    stop() {
      stopped = true
      clearTimeout(next)
    },
  }
}
