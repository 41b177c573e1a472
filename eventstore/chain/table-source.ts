import type pg from 'pg'
import { HeardClient, type HeardConfig } from '../postgres/heard-client.ts'
import { copyOut } from '../postgres-copy.ts'
import type { ChainSource, Span } from './source.ts'
import type { Tuple } from './tuple.ts'

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEADER_BYTES = HEADER.length + 8
const END = 0xffff
/** As `isCovered`. */
const COVERED = `(left(stream, 1) <> '$' or (left(stream, 2) = '$$' and substr(stream, 3, 1) <> '$'))`
const FROM_START = `'-9223372036854775808'::bigint`

/** As the embedded log lays its tables out. */
type Layout = 'single' | 'partitioned'

/** An event that no reader of its stream would find is none of that stream. */
const STREAM: Record<Layout, string> = {
  single: 'stream',
  partitioned: `coalesce((select s.name from log.stream s
    where s.id = event.stream_id and s.name = event.stream and s.born <= event.position), '?' || stream)`,
}

const copySql = (layout: Layout, { after, to, limit }: Span) => `copy (
  select position, created, revision, ${STREAM[layout]}, id, type, json, data, metadata from log.event
  where position > ${after > 0 ? after : FROM_START} and position <= ${to} and ${COVERED}
  order by position${limit === undefined ? '' : ` limit ${limit}`}
) to stdout (format binary)`

type Row = { last: string | null; metadata: Buffer | null }
const OF_STREAM: Record<Layout, (name: string) => string> = {
  single: (name) => `stream = ${name}`,
  partitioned: (name) => `stream_id = (select s.id from log.stream s where s.name = ${name})`,
}
const streamNowSql = (layout: Layout) => `
  select (select max(revision) from log.event where ${OF_STREAM[layout]('$1')}) as last,
    (select case when json then data end from log.event where ${OF_STREAM[layout]("'$$' || $1")}
      order by revision desc limit 1) as metadata`

/** A log that moves meanwhile can be read either way. */
async function layoutIn(client: pg.Client): Promise<Layout> {
  const { rows } = await client.query<{ layout: Layout }>(
    `select case relkind when 'p' then 'partitioned' else 'single' end as layout from pg_class
     where oid = to_regclass('log.event')`,
  )
  return rows[0]?.layout ?? 'single'
}

/**
 * The embedded log's own table, read directly: several times as fast as through the client, and byte for byte. A span that
 * begins at 0 holds whatever stands before it too.
 */
export function tableSource(database: HeardConfig): ChainSource {
  return {
    database,
    async head(signal) {
      const ask = (client: pg.Client) =>
        client.query<{ last: string | null }>('select max(position) as last from log.event')
      const { rows } = await within(database, ask, signal)
      return Number(rows[0]?.last ?? 0)
    },
    each: (span, take, signal) =>
      within(
        database,
        (client) => whileLaid(client, async () => copyTuples(client, copySql(await layoutIn(client), span), take)),
        signal,
      ),
    async streamNow(stream) {
      const { rows } = await within(database, async (client) =>
        client.query<Row>(streamNowSql(await layoutIn(client)), [stream]),
      )
      return { last: Number(rows[0]?.last ?? -1), metadata: rows[0]?.metadata ?? null }
    },
  }
}

/** Whether this database holds an embedded log. */
export async function holdsLog(database: pg.ClientConfig): Promise<boolean> {
  const { rows } = await within(database, (client) =>
    client.query<{ there: boolean }>(`select to_regclass('log.event') is not null as there`),
  )
  return rows[0]?.there === true
}

/** A connection that the caller ends. */
export async function connected(database: HeardConfig, signal?: AbortSignal): Promise<pg.Client> {
  signal?.throwIfAborted()
  const client = new HeardClient(database)
  await client.connect()
  return client
}

/** A connection for one piece of work; an abort cuts it. */
export async function within<T>(
  database: HeardConfig,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = await connected(database, signal)
  const cut = () => void client.end().catch(() => undefined)
  signal?.addEventListener('abort', cut, { once: true })
  try {
    return await work(client)
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  } finally {
    signal?.removeEventListener('abort', cut)
    await client.end()
  }
}

/**
 * Keeps the log's table the one that it is while `work` reads it: whoever waited for a move to end looks at the log as it is
 * then, not as it was before they waited. The caller ends the connection where it fails.
 */
export async function whileLaid<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  await client.query(KEEP_LAID)
  const answer = await work()
  await client.query('commit')
  return answer
}

/** Takes no snapshot, and is the first statement of its transaction. */
export const KEEP_LAID = 'lock table log.event in access share mode'

const bodyOf = (chunk: Buffer): Buffer =>
  chunk.subarray(0, HEADER.length).equals(HEADER) ? chunk.subarray(HEADER_BYTES) : chunk

/** Hands on each row of a `copy … to stdout (format binary)` as it comes, as `copyOut` does. */
export function copyTuples(client: pg.Client, text: string, take: (row: Tuple) => unknown): Promise<number> {
  let begun = false
  return copyOut(client, text, (chunk) => {
    // The header travels with the first row, or with the end of an empty answer.
    const row = begun ? chunk : bodyOf(chunk)
    begun = true
    return row.length === 0 || row.readUInt16BE(0) === END ? undefined : take(row)
  })
}
