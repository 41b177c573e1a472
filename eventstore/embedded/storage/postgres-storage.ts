import pg from 'pg'
import type { StoredEvent } from '../records.ts'
import { COLUMN_COUNT, insertSql, NEWEST_POSITIONS, READ_ALL, READ_STREAM, SUMMARISE } from './postgres-table.ts'
import { connectWriter, numbersForBigints, processOf, unlessSilent, type WriterSettings } from './postgres-writer.ts'
import type { EventPosition, Page, PageRequest, Storage, StreamSummary } from './storage.ts'

const READERS = 4
const ROWS_PER_INSERT = 64
const PAGE_BYTES = 512 * 1024

/** Events in one table of one Postgres database: one writing connection, a small pool for readers. */
export class PostgresStorage implements Storage {
  private readonly readers: pg.Pool
  private writer: pg.Client | undefined
  private former: number | undefined
  private readonly lost: (() => void)[] = []
  private closed = false
  private asked: Promise<boolean> | undefined

  constructor(private readonly settings: WriterSettings) {
    this.readers = new pg.Pool({ ...settings.database, max: READERS, types: numbersForBigints })
    // The pool replaces a broken idle connection by itself; whoever was using one gets the error.
    this.readers.on('error', () => {})
  }

  async open(): Promise<number> {
    await this.letGo()
    const writer = await connectWriter({ ...this.settings, former: this.former }, (lost) => {
      if (this.writer !== lost) return
      this.writer = undefined
      this.former = processOf(lost)
      for (const listener of this.lost) listener()
    })
    if (this.closed) {
      await writer.end()
      throw new Error('The log is closed.')
    }
    this.writer = writer
    const { rows } = await writer.query('select coalesce(max(position), 0)::bigint as last from log.event')
    return rows[0].last
  }

  writable(): boolean {
    return this.writer !== undefined
  }

  alive(): Promise<boolean> {
    if (!this.writer) return Promise.resolve(false)
    // One question at a time: a connection that is silent would gather them.
    this.asked ??= this.writer
      .query('select 1 as alive')
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.asked = undefined
      })
    return this.asked
  }

  onLost(listener: () => void): void {
    this.lost.push(listener)
  }

  async commit(events: StoredEvent[]): Promise<void> {
    return unlessSilent(this.requireWriter(), this.settings, () => this.insertAll(events))
  }

  private async insertAll(events: StoredEvent[]): Promise<void> {
    if (events.length <= ROWS_PER_INSERT) return this.insert(events)
    const writer = this.requireWriter()
    await writer.query('begin')
    for (let at = 0; at < events.length; at += ROWS_PER_INSERT)
      await this.insert(events.slice(at, at + ROWS_PER_INSERT))
    await writer.query('commit')
  }

  async summarise(streams: string[]): Promise<StreamSummary[]> {
    const writer = this.requireWriter()
    const asked = () => writer.query({ name: 'summarise', text: SUMMARISE, values: [streams] })
    return (await unlessSilent(writer, this.settings, asked)).rows.map(summaryFrom)
  }

  async summaryOf(stream: string): Promise<StreamSummary> {
    const { rows } = await this.readers.query({ name: 'summarise', text: SUMMARISE, values: [[stream]] })
    return summaryFrom(rows[0])
  }

  readStream(stream: string, page: PageRequest): Promise<Page> {
    return this.page('stream', page, [stream])
  }

  readAll(page: PageRequest): Promise<Page> {
    return this.page('all', page, [])
  }

  async newestPositions(count: number): Promise<EventPosition[]> {
    const writer = this.requireWriter()
    const { rows } = await writer.query('select coalesce(max(position), 0)::bigint as last from log.event')
    return (await writer.query<EventPosition>(NEWEST_POSITIONS, [rows[0].last - count])).rows
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.allSettled([this.letGo(), this.readers.end()])
  }

  private async page(
    source: 'stream' | 'all',
    { from, backwards, limit }: PageRequest,
    extra: string[],
  ): Promise<Page> {
    const direction = backwards ? 'backwards' : 'forwards'
    const { rows: events } = await this.readers.query<StoredEvent>({
      name: `${source}-${direction}`,
      text: (source === 'stream' ? READ_STREAM : READ_ALL)[direction],
      values: [from, limit, PAGE_BYTES, ...extra],
    })
    return { events, more: events.length === limit || payloadBytes(events) >= PAGE_BYTES }
  }

  private async insert(events: StoredEvent[]): Promise<void> {
    const values: unknown[] = new Array(events.length * COLUMN_COUNT)
    let at = 0
    for (const event of events) {
      values[at++] = event.position
      values[at++] = event.stream
      values[at++] = event.revision
      values[at++] = event.id
      values[at++] = event.type
      values[at++] = event.json
      values[at++] = event.created
      values[at++] = event.data
      values[at++] = event.metadata
    }
    await this.requireWriter().query({ name: `insert-${events.length}`, text: insertSql(events.length), values })
  }

  private requireWriter(): pg.Client {
    if (!this.writer) throw new Error('The connection that writes the log is gone.')
    return this.writer
  }

  private async letGo(): Promise<void> {
    const writer = this.writer
    this.writer = undefined
    await writer?.end().catch(() => {})
  }
}

const summaryFrom = (row: { last: number | null; metadata: Buffer | null }): StreamSummary => ({
  last: row.last ?? -1,
  metadata: row.metadata,
})

function payloadBytes(events: StoredEvent[]): number {
  let bytes = 0
  for (const event of events) bytes += event.data.length + event.metadata.length
  return bytes
}
