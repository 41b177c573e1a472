import type pg from 'pg'
import type { StoredEvent } from '../records.ts'
import type { Layout } from './layout.ts'
import type { BothWays } from './pages.ts'

/** The queries of one layout; `summarise` answers `last`, `metadata` and, where streams have one, `id`. */
export type Reads = {
  readonly summarise: string
  readonly newestPositions: string
  readonly stream: BothWays
  readonly all: BothWays
}

/** The log's tables as the one writer sees them, for as long as its connection lives. */
export type Tables = {
  readonly layout: Layout
  readonly reads: Reads
  /** Takes in what `summarise` answered for these names. */
  learn(streams: readonly string[], rows: readonly { id?: number | null }[]): void
  /** All events or none. */
  insert(writer: pg.ClientBase, events: readonly StoredEvent[]): Promise<void>
}

const ROWS_PER_INSERT = 64

/** Inserts by statements of a bounded size, in one transaction. */
export async function inChunks(
  writer: pg.ClientBase,
  events: readonly StoredEvent[],
  insert: (chunk: readonly StoredEvent[]) => Promise<unknown>,
): Promise<void> {
  if (events.length <= ROWS_PER_INSERT) return void (await insert(events))
  await writer.query('begin')
  for (let at = 0; at < events.length; at += ROWS_PER_INSERT) await insert(events.slice(at, at + ROWS_PER_INSERT))
  await writer.query('commit')
}

const tuples = new Map<string, string>()

/** Numbered parameters of so many rows, column by column. */
export function tuplesOf(rows: number, columns: number): string {
  const key = `${rows},${columns}`
  let sql = tuples.get(key)
  if (!sql) {
    const tuple = (row: number) => Array.from({ length: columns }, (_, at) => `$${row * columns + at + 1}`)
    sql = Array.from({ length: rows }, (_, row) => `(${tuple(row).join(',')})`).join(',')
    tuples.set(key, sql)
  }
  return sql
}

/** What a stream's summary is made of: metadata that are not marked as JSON are empty. */
export const METADATA = `case when json then data else '' end`

export const NEWEST_POSITIONS = `
  select id, stream, revision, position from log.event where position > $1 order by position`
