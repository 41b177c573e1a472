import type { Logger } from './log.ts'
import { errorFields } from './log.ts'

/** One that may take long ends soon once `signal` does. */
export type Sweepable = { sweep(signal?: AbortSignal): Promise<number> }

/** Those among these that have something to forget. */
export function sweepableOf(services: Readonly<Record<string, unknown>>): Record<string, Sweepable> {
  return Object.fromEntries(
    Object.entries(services).filter((entry): entry is [string, Sweepable] => isSweepable(entry[1])),
  )
}

function isSweepable(service: unknown): service is Sweepable {
  return typeof service === 'object' && service !== null && 'sweep' in service && typeof service.sweep === 'function'
}

/** Asks each to forget what is over; one that fails does not stop the others. */
export async function sweepAll(
  services: Readonly<Record<string, Sweepable>>,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  for (const [name, service] of Object.entries(services)) {
    if (signal.aborted) return
    await service.sweep(signal).catch((error: unknown) => log.warn('A sweep failed.', { name, ...errorFields(error) }))
  }
}
