import { parentPort, workerData } from 'node:worker_threads'
import type pg from 'pg'
import { type SegmentToScan, scanSegments } from './scan.ts'
import { tableSource } from './table-source.ts'

/** What passes between a scan and the workers that share it. */
export type ScanTask = { readonly database: pg.ClientConfig; readonly wanted: readonly SegmentToScan[] }
export type ScanMessage =
  | { readonly events: number }
  | { readonly differing: readonly { seq: number; bytes: Uint8Array }[] }
  | { readonly failed: string }

const { database, wanted } = workerData as ScanTask
const send = (news: ScanMessage) => parentPort?.postMessage(news)
// Buffers arrive as plain bytes.
const own = wanted.map((segment) => ({ ...segment, content: Buffer.from(segment.content) }))
scanSegments(tableSource(database), own, (events) => send({ events })).then(
  (differing) => send({ differing }),
  (error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) }),
)
