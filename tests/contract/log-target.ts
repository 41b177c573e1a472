import { randomUUID } from 'node:crypto'
import { EventStoreDBClient, type JSONEventType, jsonEvent, type ResolvedEvent } from '@eventstore/db-client'
import { type LogServer, type LogServerOptions, startLogServer } from '../../eventstore/embedded/server.ts'
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.ts'
import { logTemplate } from '../support/log.ts'

/** Address of a real EventStoreDB, without TLS and without data that anybody needs. */
export const REAL_LOG = process.env.EVENTSTORE_TEST_URL

/** The log under test, and the process's one client of it. */
export type LogTarget = { client: EventStoreDBClient; close(): Promise<void> }

/** A real EventStoreDB where one is named, else an embedded server. */
export async function openTarget(): Promise<LogTarget> {
  if (REAL_LOG) {
    const client = EventStoreDBClient.connectionString(REAL_LOG)
    return { client, close: () => client.dispose() }
  }
  return openEmbedded()
}

/** An embedded server that a test may stop, restart at its port and look into. */
export type EmbeddedTarget = LogTarget & {
  database: FreshDatabase
  server(): LogServer
  restart(): Promise<void>
}

export async function openEmbedded(options: Partial<LogServerOptions> = {}): Promise<EmbeddedTarget> {
  const database = await freshDatabase({ template: logTemplate })
  const start = (port: number) => startLogServer({ database: database.config, logLine: () => {}, ...options, port })
  let server = await start(0)
  const client = EventStoreDBClient.connectionString(server.connectionString)
  return {
    client,
    database,
    server: () => server,
    restart: async () => {
      await server.stop()
      server = await start(server.port)
    },
    close: async () => {
      await client.dispose()
      await server.stop()
      await database.drop()
    },
  }
}

/** A stream name nobody used before. */
export const newStream = (category = 'contract'): string => `${category}-${randomUUID()}`

type Note = JSONEventType<string, { text: string }>

export const note = (type: string, text = ''): ReturnType<typeof jsonEvent<Note>> =>
  jsonEvent<Note>({ type, data: { text } })

export const notes = (count: number, type = 'Noted') => Array.from({ length: count }, (_, i) => note(type, String(i)))

/** All events of a read that ends by itself. */
export async function all(read: AsyncIterable<ResolvedEvent>): Promise<NonNullable<ResolvedEvent['event']>[]> {
  const events: NonNullable<ResolvedEvent['event']>[] = []
  for await (const { event } of read) if (event) events.push(event)
  return events
}

type Followed = AsyncIterable<ResolvedEvent> & { unsubscribe(): Promise<void> }

/** The first `count` events of a subscription, which is then ended. */
export async function take(count: number, subscription: Followed): Promise<NonNullable<ResolvedEvent['event']>[]> {
  const events: NonNullable<ResolvedEvent['event']>[] = []
  try {
    for await (const { event } of subscription) {
      if (event) events.push(event)
      if (events.length >= count) break
    }
    return events
  } finally {
    await subscription.unsubscribe()
  }
}

export const typesOf = (events: { type: string }[]): string[] => events.map((event) => event.type)

/** For a rejection that is looked at: `await call().catch(asError)`. */
export const asError = (error: unknown): unknown => error
