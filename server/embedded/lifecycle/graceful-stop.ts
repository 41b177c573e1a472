import { setTimeout as pause } from 'node:timers/promises'
import { EXIT_BY_SIGNAL, onStopSignal } from './stop-signals.ts'

export type StopStep = { name: string; stop(): Promise<void> }

export type GracefulStopOptions = {
  withinMs?: number
  log?: (level: 'info' | 'warn', text: string) => void
  /** Ends the process; another one for tests. */
  exit?: (code: number) => void
  /** Signals that follow this soon are the same one. */
  echoMs?: number
}

const WITHIN_MS = 5_000

/**
 * Stops the program at SIGINT, SIGTERM and SIGHUP: the steps one after the other, the last one in the list first, so that a
 * start pushes each part as it comes up. A second signal, or the end of the time, ends the process at once with an error code.
 * The answer stops it the same way for any other reason.
 */
export function gracefulStop(
  steps: readonly StopStep[],
  options: GracefulStopOptions = {},
): (code?: number) => Promise<void> {
  const { withinMs = WITHIN_MS, log = () => {}, exit = (code) => process.exit(code), echoMs = 0 } = options
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
  onStopSignal(() => (stopping ? exit(EXIT_BY_SIGNAL) : void stop()), echoMs)
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
