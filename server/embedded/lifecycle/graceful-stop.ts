import { setTimeout as pause } from 'node:timers/promises'

export type StopStep = { name: string; stop(): Promise<void> }

export type GracefulStopOptions = {
  withinMs?: number
  log?: (level: 'info' | 'warn', text: string) => void
  /** Ends the process; another one for tests. */
  exit?: (code: number) => void
}

const WITHIN_MS = 5_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const EXIT_BY_SIGNAL = 130

/**
 * Stops the program at SIGINT, SIGTERM and SIGHUP: the steps one after the other, the last one in the list first, so that a
 * start pushes each part as it comes up. A second signal, or the end of the time, ends the process at once with an error code.
 * The answer stops it the same way for any other reason.
 */
export function gracefulStop(
  steps: readonly StopStep[],
  options: GracefulStopOptions = {},
): (code?: number) => Promise<void> {
  const { withinMs = WITHIN_MS, log = () => {}, exit = (code) => process.exit(code) } = options
  let stopping: Promise<void> | undefined
  const stopAll = async (code: number) => {
    const late = pause(withinMs, 'late' as const)
    const outcome = await Promise.race([runSteps([...steps].reverse(), log), late])
    if (outcome === 'late') log('warn', `Not everything had stopped after ${withinMs} ms.`)
    exit(outcome === 'clean' ? code : 1)
  }
  const stop = (code = 0) => {
    stopping ??= stopAll(code)
    return stopping
  }
  for (const signal of SIGNALS) process.on(signal, () => (stopping ? exit(EXIT_BY_SIGNAL) : void stop()))
  return stop
}

async function runSteps(steps: readonly StopStep[], log: NonNullable<GracefulStopOptions['log']>) {
  let outcome: 'clean' | 'failed' = 'clean'
  for (const { name, stop } of steps) {
    try {
      await stop()
    } catch (error) {
      outcome = 'failed'
      log('warn', `Stopping ${name} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return outcome
}
