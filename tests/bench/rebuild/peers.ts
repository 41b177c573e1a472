import { rawSql, SQL } from '@event-driven-io/dumbo'
import {
  getPostgreSQLEventStore,
  postgreSQLRawSQLProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql'
import type pg from 'pg'
import type { EventNamed, EventType } from '../../../domain/all-events.ts'
import { START } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { BatchProcessor } from '../../../projections/engine/batch-processor.ts'
import { dropUnread } from '../../../projections/engine/care/tables-by-hand.ts'
import { createDecode } from '../../../projections/engine/decoding.ts'
import { pagesAfter } from '../../../projections/engine/fill/pages.ts'
import { findOrMakeTarget } from '../../../projections/engine/targets.ts'
import { relations } from '../../../projections/relations/project.ts'
import type { Core } from '../../../server/core.ts'
import { databaseUrl } from '../../support/servers/database-url.ts'
import { Mix } from './mix.ts'

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

/** Events per second of one read model, with a transaction for each. */
export async function transactionPerEvent({ log, codec, keys, storage }: Core, events: number): Promise<number> {
  const projection = { ...relations, version: relations.version + 1 }
  const assignment = await findOrMakeTarget(storage.pool, log, projection, { again: true })
  if (assignment.do !== 'fill') throw new Error('There are no tables to fill.')
  const stored: StoredEvent[] = []
  for await (const page of pagesAfter(log, START, new AbortController().signal)) {
    stored.push(...page.filter(({ type }) => type in relations.when))
    if (stored.length >= events) break
  }
  const deps = { pool: storage.pool, decode: createDecode(codec, keys), projection }
  const processor = await BatchProcessor.of(deps, assignment.target, { poison: 'stops' })
  const took = await seconds(async () => {
    for (const event of stored) await processor.take([event], stored[0]!.id)
  })
  await dropUnread(storage.pool, relations.name, 'filling')
  return stored.length / took
}

/** Rows of these tables, and how long Postgres takes to copy them into tables without an index. */
export async function bareCopy(pool: pg.Pool, tables: readonly string[], folder: string) {
  let [rows, took] = [0, 0]
  for (const table of tables) {
    const file = `${folder}/${table}.copy`
    rows += (await pool.query(`copy (select * from read."${table}") to '${file}' (format binary)`)).rowCount ?? 0
    await pool.query(`create table app.bench_bare as select * from read."${table}" limit 0`)
    took += await seconds(() => pool.query(`copy app.bench_bare from '${file}' (format binary)`))
    await pool.query('drop table app.bench_bare')
    await pool.query(`copy (select 1) to program 'cat > /dev/null; rm ${file}'`)
  }
  return { rows, seconds: took }
}

type Column = 'liked_at' | 'liked_me_at' | 'matched_at' | 'unmatched_at' | 'blocked_at' | 'blocked_me_at' | 'skipped_at'
type Row = readonly [member: string, other: string, set: Readonly<Partial<Record<Column, Date | null>>>]
type Of<T extends EventType> = (event: EventNamed<T>) => Row[]

const apart = { liked_at: null, liked_me_at: null, matched_at: null }
/** By the rules of `relations`, which handles erasures besides: the first events of the mix lack those. */
const ROWS = {
  Skipped: (({ by, target, at }) => [[by, target, { skipped_at: at }]]) as Of<'Skipped'>,
  Buzzed: (({ from, to, at }) => [
    [from, to, { liked_at: at }],
    [to, from, { liked_me_at: at }],
  ]) as Of<'Buzzed'>,
  BuzzWithdrawn: (({ from, to }) => [
    [from, to, { liked_at: null }],
    [to, from, { liked_me_at: null }],
  ]) as Of<'BuzzWithdrawn'>,
  Matched: (({ members: [a, b], at }) => [
    [a, b, { matched_at: at, unmatched_at: null }],
    [b, a, { matched_at: at, unmatched_at: null }],
  ]) as Of<'Matched'>,
  Unmatched: (({ by, target, at }) => [
    [by, target, { ...apart, unmatched_at: at }],
    [target, by, { ...apart, unmatched_at: at }],
  ]) as Of<'Unmatched'>,
  Blocked: (({ by, target, at }) => [
    [by, target, { ...apart, blocked_at: at }],
    [target, by, { ...apart, blocked_me_at: at }],
  ]) as Of<'Blocked'>,
  Unblocked: (({ by, target }) => [
    [by, target, { blocked_at: null }],
    [target, by, { blocked_me_at: null }],
  ]) as Of<'Unblocked'>,
}
type Shown = keyof typeof ROWS
const TYPES = Object.keys(ROWS) as Shown[]
type PeerEvent = { type: Shown; data: EventNamed<Shown> }

/** The first so many of the mix that the peer's projection handles, by stream. */
function firstByStream(events: number): Map<string, PeerEvent[]> {
  const streams = new Map<string, PeerEvent[]>()
  let left = events
  for (const { stream, event } of new Mix(events * 10).all()) {
    if (!(event.type in ROWS)) continue
    const one = { type: event.type as Shown, data: event as EventNamed<Shown> }
    streams.set(stream, [...(streams.get(stream) ?? []), one])
    if (--left === 0) break
  }
  return streams
}

const literal = (value: unknown) => (value ? `'${new Date(value as string).toISOString()}'` : 'null')

function upsert([member, other, set]: Row): SQL {
  const columns = Object.keys(set)
  const changes = columns.map((column) => `${column} = excluded.${column}`)
  return rawSql(`insert into bench_peer (member, other, ${columns}) values ('${member}', '${other}', ${Object.values(set).map(literal)})
    on conflict (member, other) do update set ${changes}`)
}

/** The peer's own rebuild of `relations` from its own store of as many events, by its own defaults but for `batch`: events per second. */
export async function peerRebuild(database: pg.ClientConfig, events: number, batch: number): Promise<number> {
  const connectionString = databaseUrl(database)
  const projection = postgreSQLRawSQLProjection<PeerEvent>({
    name: `bench_peer_${batch}`,
    canHandle: TYPES,
    init: () => SQL`create table if not exists bench_peer (member text collate "C", other text collate "C", liked_at timestamptz,
      liked_me_at timestamptz, matched_at timestamptz, unmatched_at timestamptz, blocked_at timestamptz, blocked_me_at timestamptz,
      skipped_at timestamptz, primary key (member, other))`,
    evolve: ({ type, data }) => (ROWS[type] as (event: unknown) => Row[])(data).map(upsert),
  })
  const store = getPostgreSQLEventStore(connectionString)
  try {
    await store.schema.migrate()
    for (const [stream, own] of firstByStream(events)) await store.appendToStream(`${stream}-${batch}`, own)
    const pulling = { batchSize: batch, pullingFrequencyInMs: 1 }
    const consumer = rebuildPostgreSQLProjections({ connectionString, pulling, projections: [projection] })
    return events / (await seconds(() => consumer.start()).finally(() => consumer.close()))
  } finally {
    await store.close()
  }
}
