import type { Logger } from './log.ts'
import { errorFields } from './log.ts'

export type Sweepable = { sweep(): Promise<number> }
const EVERY_MS = 10 * 60_000

/** Those among these that have something to forget. */
export function sweepableOf(services: Readonly<Record<string, unknown>>): Record<string, Sweepable> {
  return Object.fromEntries(
    Object.entries(services).filter((entry): entry is [string, Sweepable] => isSweepable(entry[1])),
  )
}

function isSweepable(service: unknown): service is Sweepable {
  return typeof service === 'object' && service !== null && 'sweep' in service && typeof service.sweep === 'function'
}

/** Asks each service to forget what is over, now and then; one that fails does not stop the others. */
export function startSweeping(
  services: Readonly<Record<string, Sweepable>>,
  log: Logger,
  everyMs: number = EVERY_MS,
): { stop(): Promise<void> } {
  let running: Promise<void> | null = null
  const round = async () => {
    for (const [name, service] of Object.entries(services)) {
      await service.sweep().catch((error: unknown) => log.warn('A sweep failed.', { name, ...errorFields(error) }))
    }
  }
  // One that takes longer than the time between two is not followed by those it missed.
  const timer = setInterval(() => {
    running ??= round().finally(() => {
      running = null
    })
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
