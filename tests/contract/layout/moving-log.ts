import { BACKWARDS, END, EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import pg from 'pg'
import { type LogServer, type LogServerOptions, startLogServer } from '../../../eventstore/embedded/server.ts'
import { layoutOf } from '../../../eventstore/embedded/storage/layout.ts'
import { createSql } from '../../../eventstore/embedded/storage/partitions.ts'
import { scavenge } from '../../../eventstore/embedded/storage/scavenge.ts'
import { CREATE_SINGLE } from '../../../eventstore/embedded/storage/single-table.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'
import { asError, note, notes } from '../log-target.ts'

const TABLES = { span: 10, moveAtOnce: 0, moveBatch: 7 }
const MOVED_WITHIN_MS = 40_000

/** A log of the layout before, with a server on it; nothing moves while a scavenge seems to run. */
export async function openSingle() {
  const database = await freshDatabase()
  await database.run(CREATE_SINGLE)
  // An empty log moves at its start.
  await database.run(`insert into log.event values (1, 'begun', 0, gen_random_uuid(), 'Noted', true, 0, '{}', '')`)
  const lines: string[] = []
  let holder: pg.Client | undefined
  let server: LogServer | undefined
  let client: EventStoreDBClient | undefined

  const rig = {
    database,
    lines,
    client: () => client!,
    layout: () => onClient(database, layoutOf),
    async hold() {
      holder = new pg.Client(database.config)
      holder.on('error', () => undefined)
      await holder.connect()
      await holder.query("select pg_advisory_lock(hashtext('log-scavenge'))")
    },
    async release() {
      // Ending the connection lets go as well, but a moment later.
      await holder?.query('select pg_advisory_unlock_all()')
      await holder?.end()
      holder = undefined
    },
    async start(options: Partial<LogServerOptions> = {}) {
      const logLine = (line: string) => void lines.push(line)
      server = await startLogServer({ database: database.config, logLine, tables: TABLES, ...options })
      client = EventStoreDBClient.connectionString(server.connectionString)
    },
    async stop() {
      await client?.dispose()
      await server?.stop()
      client = server = undefined
    },
    /** A switch that meets a reader, such as a vacuum of Postgres itself, comes again after five seconds. */
    moved: () => onClient(database, (one) => until('the log has moved', () => isMoved(one), MOVED_WITHIN_MS)),
    /** Has the copy, which was kept from its begin by `hold`, wait before the event at this position. */
    async blockAt(position: number) {
      if (!holder) throw new Error('The copy may have passed that position: hold it before the server starts.')
      await database.run(blockSql(position))
      const blocker = new pg.Client(database.config)
      blocker.on('error', () => undefined)
      await blocker.connect()
      await blocker.query(`select pg_advisory_lock(${KEY})`)
      const isWaiting = async () => (await blocker.query(WAITING)).rowCount
      await rig.release()
      await until('the copy has come there', isWaiting)
      return () => blocker.end()
    },
    async close() {
      await rig.stop()
      await rig.release()
      await database.drop()
    },
  }
  return rig
}
export type SingleRig = Awaited<ReturnType<typeof openSingle>>

const KEY = 4243
const blockSql = (position: number) => `
  ${createSql('log.event_next')};
  create function log.wait_here() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${KEY}); return new; end $$;
  create trigger block before insert on log.event_next for each row when (new.position = ${position})
    execute function log.wait_here()`
const WAITING = `select from pg_locks where locktype = 'advisory' and objid = ${KEY} and not granted
  and database = (select oid from pg_database where datname = current_database())`

async function onClient<T>({ config }: FreshDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  return work(client).finally(() => client.end())
}

async function isMoved(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('log.event_before') is null as freed`)
  return rows[0].freed && (await layoutOf(client)) === 'partitioned'
}

export const STREAMS = ['plain', 'deleted', 'begun-anew', 'ended', 'truncated', 'counted', 'scavenged', 'empty']

/** Streams of every kind, written in turn, then a scavenge, then more. */
export async function writeHistory({ client, stop, release, database, hold, start }: SingleRig): Promise<void> {
  for (let round = 0; round < 4; round++)
    for (const stream of STREAMS.slice(0, 7)) await client().appendToStream(stream, notes(1 + ((round * 3) % 5)))
  await client().setStreamMetadata('scavenged', { truncateBefore: 5 })
  await stop()
  await release()
  await scavenge({ database: database.config })
  await hold()
  await start()
  await client().deleteStream('deleted')
  await client().deleteStream('begun-anew')
  await client().appendToStream('begun-anew', note('Again'))
  await client().tombstoneStream('ended')
  await client().setStreamMetadata('truncated', { truncateBefore: 4, of: 'us' })
  await client().setStreamMetadata('counted', { maxCount: 3 })
  await client().setStreamMetadata('empty', { maxAge: 60 })
  await client().appendToStream('plain', jsonEvent({ type: 'Ünïcode', data: { text: 'ß'.repeat(3_000) } }))
}

/** Everything that a reader gets, with errors by their names. */
export async function answersOf(client: EventStoreDBClient): Promise<unknown[]> {
  const answers: unknown[] = []
  const add = async (work: Promise<unknown> | AsyncIterable<unknown>) =>
    answers.push(await collected(work).catch((error) => String(asError(error))))
  await add(client.readAll())
  await add(client.readAll({ direction: BACKWARDS, fromPosition: END }))
  for (const stream of STREAMS) {
    await add(client.readStream(stream))
    await add(client.readStream(stream, { fromRevision: 3n }))
    await add(client.readStream(stream, { direction: BACKWARDS, fromRevision: END }))
    await add(client.getStreamMetadata(stream))
  }
  return answers
}

async function collected(work: Promise<unknown> | AsyncIterable<unknown>): Promise<unknown> {
  if (work instanceof Promise) return work
  const found: unknown[] = []
  for await (const one of work) found.push(one)
  return found
}

/** Appends to its own stream until asked to stop; answers the ids that were acknowledged, in order. */
export function appending(client: EventStoreDBClient, stream: string) {
  const acknowledged: string[] = []
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      const event = note('Moving')
      await client.appendToStream(stream, event, {
        expectedRevision: acknowledged.length ? BigInt(acknowledged.length - 1) : 'no_stream',
      })
      acknowledged.push(event.id!)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await running
      return acknowledged
    },
    count: () => acknowledged.length,
  }
}
