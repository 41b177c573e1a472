import type pg from 'pg'
import type { StoredEvent } from '../records.ts'
import { pagesOf } from './pages.ts'
import { endOfPartitions, makePartitions } from './partitions.ts'
import { type GroupIds, StreamIds } from './stream-ids.ts'
import { inChunks, METADATA, NEWEST_POSITIONS, type Reads, type Tables, tuplesOf } from './tables.ts'

const newest = (column: string, stream: string) =>
  `(select ${column} from log.event e where e.stream_id = ${stream}.id and e.position >= ${stream}.born
    order by revision desc limit 1)`
const OWN = 'from log.stream where name = $4'

export const PARTITIONED: Reads = {
  summarise: `
    select own.id, ${newest('revision', 'own')} as last, ${newest(METADATA, 'meta')} as metadata
    from unnest($1::text[]) with ordinality as asked (name, place)
    left join log.stream own on own.name = asked.name left join log.stream meta on meta.name = '$$' || asked.name
    order by place`,
  newestPositions: NEWEST_POSITIONS,
  stream: pagesOf(`stream_id = (select id ${OWN}) and position >= (select born ${OWN}) and `, 'revision'),
  all: pagesOf('', 'position'),
}

const COLUMNS = ['position', 'revision', 'created', 'id', 'json', 'stream', 'type', 'data', 'metadata'] as const
const WIDTH = COLUMNS.length + 1

/** A writer's view of partitioned tables: which stream has which number, and up to where there is room. */
export class PartitionedTables implements Tables {
  readonly layout = 'partitioned'
  readonly reads = PARTITIONED

  private constructor(
    private readonly ids: StreamIds,
    private end: number | null,
    private readonly span: number,
  ) {}

  static async open(writer: pg.ClientBase, span: number, remembered?: number): Promise<PartitionedTables> {
    const ids = await StreamIds.after(writer, remembered)
    return new PartitionedTables(ids, await endOfPartitions(writer, 'log.event'), span)
  }

  learn(streams: readonly string[], rows: readonly { id?: number | null }[]): void {
    this.ids.learn(
      streams,
      rows.map(({ id }) => id ?? null),
    )
  }

  async insert(writer: pg.ClientBase, events: readonly StoredEvent[]): Promise<void> {
    await this.makeRoom(writer, events)
    const streams = events.map(({ stream }) => stream)
    const group = await this.ids.ofGroup(writer, streams)
    await inChunks(writer, events, (chunk) => insertChunk(writer, chunk, group))
    this.ids.committed(group)
  }

  /** The next partition is made when half of the newest is full, so that an event rarely waits for it. */
  private async makeRoom(writer: pg.ClientBase, events: readonly StoredEvent[]): Promise<void> {
    const first = events[0]!.position
    const last = events.at(-1)!.position + Math.floor(this.span / 2)
    if (this.end !== null && last < this.end) return
    await writer.query('begin')
    const end = await makePartitions(writer, 'log.event', { end: this.end, first, last, span: this.span })
    await writer.query('commit')
    this.end = end
  }
}

function insertChunk(writer: pg.ClientBase, events: readonly StoredEvent[], group: GroupIds): Promise<unknown> {
  const begun = group.begin(events)
  const values: unknown[] = []
  for (const event of events) {
    for (const column of COLUMNS) values.push(event[column])
    values.push(group.of(event.stream))
  }
  const insert = `insert into log.event (${COLUMNS.join()}, stream_id) values ${tuplesOf(events.length, WIDTH)}`
  const name = `insert-${events.length}-partitioned`
  if (!begun.length) return writer.query({ name, text: insert, values })
  return writer.query({
    name: `${name}-begun`,
    text: `with begun as (${beginSql(values.length)}) ${insert}`,
    values: [...values, begun.map(({ id }) => id), begun.map(({ stream }) => stream), begun.map(({ born }) => born)],
  })
}

const beginSql = (at: number) => `insert into log.stream (id, name, born)
  select * from unnest($${at + 1}::bigint[], $${at + 2}::text[], $${at + 3}::bigint[])`
