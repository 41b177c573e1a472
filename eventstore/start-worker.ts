import { Worker } from 'node:worker_threads'

const TYPESCRIPT = new URL('./typescript-worker.js', import.meta.url)

/** Runs a file, built or still TypeScript, in a thread of its own. */
export function startWorker(file: URL, workerData: unknown): Worker {
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { workerData })
  return new Worker(TYPESCRIPT, { workerData, argv: [file.href] })
}
