import { availableParallelism } from 'node:os'

/** What a file may cost. Tests lower them. */
export type WorkerLimits = {
  /** Processes at once. */
  readonly workers: number
  /** For one file, from the moment a worker has it. */
  readonly deadlineMs: number
  /** Resident, of a worker process: what a decoder takes is not in the heap of JavaScript. */
  readonly memoryBytes: number
  /** Files that wait for a worker, of all uploaders. */
  readonly mostWaiting: number
  readonly waitMs: number
  /** A worker that has had nothing to do for this long ends. */
  readonly idleMs: number
  /** What a worker process runs, where a test has another. */
  readonly program?: URL
}

const MIB = 1024 * 1024
export const WORKER_LIMITS: WorkerLimits = {
  workers: Math.min(2, availableParallelism()),
  deadlineMs: 10_000,
  memoryBytes: 512 * MIB,
  mostWaiting: 100,
  waitMs: 15_000,
  idleMs: 60_000,
}
