const LOOK_EVERY_MS = 1_000
const LOOK_AGAIN_MS = 5_000

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

/** Both in milliseconds: `everyMs` until they do, and `againMs` after that. */
type Every = { readonly everyMs?: number; readonly againMs?: number }

/**
 * Looks until they do, and then whether they still do: what this process knows of the log, and who is connected to it, is of
 * before another process noted that it was set back. From a database that does not answer comes nothing new. `failed` hears why
 * what was to be done once they do was not, and that the process must begin anew.
 */
export function watchShownLog(
  showsOther: () => Promise<boolean>,
  failed: (error: Error) => void,
  { everyMs = LOOK_EVERY_MS, againMs = LOOK_AGAIN_MS }: Every = {},
): ShownLog {
  let shown = false
  let stopped = false
  let next: NodeJS.Timeout | undefined
  let late: (() => Promise<void>) | undefined
  const begin = () => late?.().catch((error: Error) => stopped || failed(error))
  const look = async () => {
    const before = shown
    const isShown = await showsOther().then(
      (other) => !other,
      () => before,
    )
    if (stopped) return
    if (before && !isShown) return failed(new Error('The log was set back while this process was up.'))
    shown = isShown
    if (shown && !before) void begin()
    next = setTimeout(look, shown ? againMs : everyMs).unref()
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
