const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** The exit code of who was ended by a signal. */
export const EXIT_BY_SIGNAL = 130

/** npm passes on the SIGINT that the terminal has sent to every process of its group: a Ctrl-C arrives twice. */
export const ECHO_OF_NPM_MS = process.env.npm_lifecycle_event === undefined ? 0 : 250

/** Calls back at every SIGINT, SIGTERM and SIGHUP, but for those that follow within `echoMs` and are the same one. */
export function onStopSignal(heard: () => void, echoMs: number): void {
  let last = Number.NEGATIVE_INFINITY
  const hear = () => {
    const isEcho = performance.now() - last < echoMs
    last = performance.now()
    if (!isEcho) heard()
  }
  for (const signal of SIGNALS) process.on(signal, hear)
}
