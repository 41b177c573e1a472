import type pg from 'pg'
import type { StoredEvent } from '../records.ts'
import { pagesOf } from './pages.ts'
import { inChunks, METADATA, NEWEST_POSITIONS, type Reads, type Tables, tuplesOf } from './tables.ts'

/**
 * The layout that a log moves away from, and that backups are read into. `"C"` keeps stream names comparing byte by byte.
 */
export const CREATE_SINGLE = `
  create schema if not exists log;
  create table if not exists log.event (
    position bigint primary key,
    stream text collate "C" not null,
    revision bigint not null,
    id uuid not null,
    type text not null,
    json boolean not null,
    created bigint not null,
    data bytea not null,
    metadata bytea not null,
    unique (stream, revision)
  )`

const COLUMNS = ['position', 'stream', 'revision', 'id', 'type', 'json', 'created', 'data', 'metadata'] as const

const last = (column: string, stream: string) =>
  `(select ${column} from log.event where stream = ${stream} order by revision desc limit 1)`

export const SINGLE: Reads = {
  summarise: `
    select ${last('revision', 'name')} as last, ${last(METADATA, "'$$' || name")} as metadata
    from unnest($1::text[]) with ordinality as asked (name, place) order by place`,
  newestPositions: NEWEST_POSITIONS,
  stream: pagesOf('stream = $4 and ', 'revision'),
  all: pagesOf('', 'position'),
}

export const singleTable: Tables = {
  layout: 'single',
  reads: SINGLE,
  learn() {},
  insert: (writer, events) => inChunks(writer, events, (chunk) => insertChunk(writer, chunk)),
}

function insertChunk(writer: pg.ClientBase, events: readonly StoredEvent[]): Promise<unknown> {
  const values: unknown[] = []
  for (const event of events) for (const column of COLUMNS) values.push(event[column])
  const text = `insert into log.event (${COLUMNS.join()}) values ${tuplesOf(events.length, COLUMNS.length)}`
  return writer.query({ name: `insert-${events.length}`, text, values })
}
