import { parentPort, workerData } from 'node:worker_threads'
import type pg from 'pg'
import { scanSegments, type Wanted } from './scan.ts'
import { tableSource } from './table-source.ts'

/** What passes between a scan and the workers that share it. */
export type ScanTask = { readonly database: pg.ClientConfig; readonly wanted: readonly Wanted[] }
export type ScanNews =
  | { readonly events: number }
  | { readonly differing: readonly { seq: number; bytes: Uint8Array }[] }
  | { readonly failed: string }

const { database, wanted } = workerData as ScanTask
const tell = (news: ScanNews) => parentPort?.postMessage(news)
// Buffers arrive as plain bytes.
const own = wanted.map((segment) => ({ ...segment, content: Buffer.from(segment.content) }))
scanSegments(tableSource(database), own, (events) => tell({ events })).then(
  (differing) => tell({ differing }),
  (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }),
)
