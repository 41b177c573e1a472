import type pg from 'pg'
import { startWorker } from '../start-worker.ts'
import type { Differing, SegmentToScan } from './scan.ts'
import type { ScanMessage, ScanTask } from './scan-worker.ts'

const WORKER = new URL('./scan-worker.ts', import.meta.url)

/** As `scanSegments` on the log's table, shared by so many workers: each takes a run of segments that lie together. */
export async function scanInWorkers(
  database: pg.ClientConfig,
  wanted: readonly SegmentToScan[],
  workers: number,
  onEvents: (count: number) => void,
  signal?: AbortSignal,
): Promise<Differing[]> {
  const done: number[] = []
  const parts = shares(wanted, workers).map((share, index) =>
    runWorker({ database, wanted: share }, signal, (events) => {
      done[index] = events
      onEvents(done.reduce((sum, one) => sum + (one ?? 0), 0))
    }),
  )
  return (await Promise.all(parts)).flat()
}

/** Runs of about the same number of events. */
function shares(wanted: readonly SegmentToScan[], count: number): SegmentToScan[][] {
  const total = wanted.reduce((sum, { events }) => sum + events, 0)
  const parts: SegmentToScan[][] = Array.from({ length: count }, () => [])
  let before = 0
  for (const segment of wanted) {
    parts[Math.min(count - 1, Math.floor((before / total) * count))]!.push(segment)
    before += segment.events
  }
  return parts.filter((part) => part.length > 0)
}

function runWorker(
  task: ScanTask,
  signal: AbortSignal | undefined,
  onEvents: (count: number) => void,
): Promise<Differing[]> {
  const worker = startWorker(WORKER, task)
  const end = () => void worker.terminate()
  signal?.addEventListener('abort', end, { once: true })
  return new Promise<Differing[]>((resolve, reject) => {
    worker.on('message', (news: ScanMessage) => {
      if ('events' in news) onEvents(news.events)
      else if ('failed' in news) reject(new Error(news.failed))
      else resolve(news.differing.map(({ seq, bytes }) => ({ seq, bytes: Buffer.from(bytes) })))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(signal?.aborted ? signal.reason : new Error('A scan ended too early.')))
  }).finally(() => {
    signal?.removeEventListener('abort', end)
    end()
  })
}
