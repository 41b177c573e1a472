import pg from 'pg'
import { HeardClient } from '../../postgres/heard-client.ts'
import { CONNECT_MS } from '../../postgres/noticed.ts'
import type { StoredEvent } from '../records.ts'
import { Gate } from './gate.ts'
import type { FreeBytes } from './move/disk-room.ts'
import { LogMove } from './move/log-move.ts'
import { type SwitchOutcome, switchOver } from './move/switch-over.ts'
import { openTables } from './open-tables.ts'
import { PartitionedTables } from './partitioned-tables.ts'
import { SPAN } from './partitions.ts'
import { connectWriter, numbersForBigints, PLANS, type WriterSettings } from './postgres-writer.ts'
import { singleTable } from './single-table.ts'
import type { EventPosition, Page, PageRequest, Storage, StreamSummary } from './storage.ts'
import type { Tables } from './tables.ts'

const READERS = 4
const PAGE_BYTES = 512 * 1024
/** As long as reads and commits of this server may keep the switch of a move waiting, and wait for it to begin. */
const SWITCH_PATIENCE_MS = 500
const MOVE_AT_ONCE = 20_000

/** The last position, and whether the table that a move has left is still there. */
const OPENED = `select coalesce((select max(position) from log.event), 0)::bigint as last,
  to_regclass('log.event_before') is not null as left`

/** Not one that waits for us to take what it sends, or whose answer is lost. Where activities are not tracked its state is not known. */
const AT_WORK = `select from pg_stat_activity where pid = any($1) and state in ('active', 'disabled')
  and wait_event_type is distinct from 'Client'`

/** `span`: positions in one partition; `remembered`: streams whose numbers are kept in memory. The others are of a log in the layout before. */
export type TableOptions = {
  span?: number
  remembered?: number
  /** It moves before it is served when it has no more events, else while it is. */
  moveAtOnce?: number
  /** Events that the move copies in one transaction. */
  moveBatch?: number
  /** What is free on the disk of Postgres, and until the move looks there again. */
  freeBytes?: FreeBytes
  roomAgainMs?: number
  roomLookMs?: number
}

export type StorageSettings = WriterSettings & { tables?: TableOptions | undefined }

/** Events in tables of one Postgres database: one writing connection, a small pool for readers. */
export class PostgresStorage implements Storage {
  private readonly readers: pg.Pool
  private writer: pg.Client | undefined
  private readonly own = new Set<number>()
  private readonly lost: (() => void)[] = []
  private closed = false
  private asked: Promise<boolean> | undefined
  private askedReader: Promise<unknown> | undefined
  private readonly reading = new Set<pg.PoolClient & { processID?: number }>()
  private tables: Tables = singleTable
  private move: LogMove | undefined
  private readonly gate = new Gate()

  constructor(private readonly settings: StorageSettings) {
    const onConnect = async (client: pg.ClientBase) => void (await client.query(PLANS))
    const heard = { ...settings.database, silentMs: settings.silentMs, types: numbersForBigints }
    // Whoever has waited for a place so long has left.
    this.readers = new pg.Pool({
      ...heard,
      Client: HeardClient,
      max: READERS,
      onConnect,
      connectionTimeoutMillis: CONNECT_MS,
    })
    // The pool replaces a broken idle connection by itself; whoever was using one gets the error.
    this.readers.on('error', () => {})
    this.readers.on('connect', (client) => void this.reading.add(client))
    this.readers.on('remove', (client) => void this.reading.delete(client))
  }

  /** The connection is handed to nobody before it is open whole: what opens it runs by itself on it. */
  async open(): Promise<number> {
    await this.letGo()
    let gone = false
    const writer = await connectWriter(this.settings, this.own, (lost) => {
      gone = true
      this.lose(lost)
    })
    try {
      const moveAtOnce = this.move ? null : this.layingOut.moveAtOnce
      const tables = await openTables(writer, { ...this.layingOut, moveAtOnce })
      const { rows } = await writer.query(OPENED)
      if (this.closed) throw new Error('The log is closed.')
      if (gone) throw new Error('The connection that writes the log is gone.')
      this.writer = writer
      this.tables = tables
      if (tables.layout === 'single' || rows[0].left) this.moveLater()
      return rows[0].last
    } catch (error) {
      await writer.end().catch(() => {})
      throw error
    }
  }

  writable(): boolean {
    return this.writer !== undefined
  }

  alive(): Promise<boolean> {
    if (!this.writer) return Promise.resolve(false)
    // One question at a time: a connection that is silent would gather them.
    this.asked ??= this.gate
      .pass(async () => {
        // The gate may have been shut for long.
        const writer = this.requireWriter()
        await Promise.all([this.readsAnswered(writer), writer.query('select 1 as alive')])
      })
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.asked = undefined
      })
    return this.asked
  }

  /** By a reader that has a place for it, or where long reads have them all, by the server: it is at one of them. */
  private readsAnswered(writer: pg.Client): Promise<unknown> {
    this.askedReader ??= this.readers.query('select 1').finally(() => {
      this.askedReader = undefined
    })
    const atWork = writer
      .query(AT_WORK, [[...this.reading].map(({ processID }) => processID)])
      .then(({ rowCount }) => rowCount || Promise.reject(new Error('The server is at no read.')))
    return Promise.any([this.askedReader, atWork])
  }

  onLost(listener: () => void): void {
    this.lost.push(listener)
  }

  commit(events: StoredEvent[]): Promise<void> {
    return this.gate.pass(async () => {
      const writer = this.requireWriter()
      await this.tables.insert(writer, events)
    })
  }

  summarise(streams: string[]): Promise<StreamSummary[]> {
    return this.gate.pass(async () => {
      const writer = this.requireWriter()
      const { rows } = await writer.query({ ...this.summary(), values: [streams] })
      this.tables.learn(streams, rows)
      return rows.map(summaryFrom)
    })
  }

  async summaryOf(stream: string): Promise<StreamSummary> {
    const { rows } = await this.gate.pass(() => this.readers.query({ ...this.summary(), values: [[stream]] }))
    return summaryFrom(rows[0])
  }

  readStream(stream: string, page: PageRequest): Promise<Page> {
    return this.gate.pass(() => this.page(this.readers, 'stream', page, [stream]))
  }

  readToWrite(stream: string, page: PageRequest): Promise<Page> {
    return this.gate.pass(async () => this.page(this.requireWriter(), 'stream', page, [stream]))
  }

  readAll(page: PageRequest): Promise<Page> {
    return this.gate.pass(() => this.page(this.readers, 'all', page, []))
  }

  newestPositions(count: number): Promise<EventPosition[]> {
    return this.gate.pass(async () => {
      const writer = this.requireWriter()
      const { rows } = await writer.query('select coalesce(max(position), 0)::bigint as last from log.event')
      return (await writer.query<EventPosition>(this.tables.reads.newestPositions, [rows[0].last - count])).rows
    })
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.allSettled([this.move?.stop(), this.letGo(), this.readers.end()])
  }

  /** Begins or resumes what is left of a move, once: it goes on when the writer begins anew. */
  private moveLater(): void {
    if (this.move) return
    const { silentMs, logLine, tables: { moveBatch, roomAgainMs, roomLookMs } = {} } = this.settings
    const { span, freeBytes } = this.layingOut
    const switching = (after: number, most: number) => this.switchOver(after, most)
    const database = { ...this.settings.database, silentMs }
    const settings = { database, logLine, span, batch: moveBatch, freeBytes, roomAgainMs, roomLookMs }
    this.move = new LogMove({ ...settings, switchOver: switching })
    this.move.start()
  }

  private async switchOver(after: number, most: number): Promise<SwitchOutcome> {
    const { span, remembered } = this.layingOut
    const outcome = await this.gate.alone(SWITCH_PATIENCE_MS, async () => {
      const writer = this.requireWriter()
      const switched = await switchOver(writer, { after, most, span })
      if (switched === 'done') this.tables = await PartitionedTables.open(writer, span, remembered)
      return switched
    })
    return outcome ?? 'busy'
  }

  private lose(lost: pg.Client): void {
    if (this.writer !== lost) return
    this.writer = undefined
    for (const listener of this.lost) listener()
  }

  private get layingOut() {
    const { span = SPAN, moveAtOnce = MOVE_AT_ONCE, remembered, freeBytes } = this.settings.tables ?? {}
    return { span, moveAtOnce, remembered, freeBytes }
  }

  /** Statements are prepared by name: those of each layout have their own. */
  private summary() {
    const { layout, reads } = this.tables
    return { name: `summarise-${layout}`, text: reads.summarise }
  }

  private async page(
    db: pg.Pool | pg.Client,
    source: 'stream' | 'all',
    { from, backwards, limit }: PageRequest,
    extra: string[],
  ): Promise<Page> {
    const { layout, reads } = this.tables
    const direction = backwards ? 'backwards' : 'forwards'
    const { rows: events } = await db.query<StoredEvent>({
      name: `${source}-${direction}-${layout}`,
      text: reads[source][direction],
      values: [from, limit, PAGE_BYTES, ...extra],
    })
    return { events, more: events.length === limit || payloadBytes(events) >= PAGE_BYTES }
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
