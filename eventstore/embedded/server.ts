import type { Socket } from 'node:net'
import { Server, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import type pg from 'pg'
import { EventLog } from './event-log.ts'
import { addressOf, connectionStringOf, type LogTls, listen, taking } from './listen.ts'
import { type Guard, guarded, guardOf, type LogUser, secretGuardOf } from './protocol/access.ts'
import { appendHandler } from './protocol/append.ts'
import { batchAppendHandler, batchAppendMethod } from './protocol/batch-append.ts'
import { featuresService, gossipService, streamsService } from './protocol/definitions.ts'
import { gossipHandler, supportedMethodsHandler } from './protocol/features.ts'
import { healthHandler, healthService } from './protocol/health.ts'
import { OpenCalls } from './protocol/open-calls.ts'
import { readHandler } from './protocol/read.ts'
import { deleteHandler, tombstoneHandler } from './protocol/remove.ts'
import { recordUsers } from './record-users.ts'
import { PostgresStorage, type TableOptions } from './storage/postgres-storage.ts'

/** Where it listens by default. */
export const LOOPBACK = '127.0.0.1'
/** As large as the client accepts. */
const MESSAGE_BYTES = 17 * 1024 * 1024
const LOCK_WAIT_MS = 10_000
const WRITES_PATIENCE_MS = 400
const CLOSE_PATIENCE_MS = 300

/**
 * A running log server. `connectionString` is what the official client takes, with a user's password where there are
 * users; `address` is the same without it. `ready` is false while it cannot write.
 */
export type LogServer = {
  port: number
  connectionString: string
  address: string
  ready(): boolean
  /** Takes a connection that another process has accepted; only where it does not listen itself. */
  connect(socket: Socket): void
  stop(): Promise<void>
}

/**
 * `port` 0 takes a free one. Without `tls` connections are plain; without `users` whoever knows `secret` may do
 * everything, and without that everybody who connects. Users want TLS, since the official client sends no names over a
 * plain connection; where there are users, no secret counts. `accepted`: another process listens at `port`, and passes
 * connections on. `logLine` gets the few
 * lines an operator wants to read; they hold no event data. `lockWaitMs` is how long a start waits for an older server
 * to let go of the database, `writeTimeoutMs` how long a write may take before it is answered as timed out. `tables` is for tests.
 */
export type LogServerOptions = {
  database: pg.ClientConfig
  host?: string
  port?: number
  tls?: LogTls
  users?: readonly LogUser[]
  secret?: string | undefined
  accepted?: boolean | undefined
  logLine?: (line: string) => void
  lockWaitMs?: number
  writeTimeoutMs?: number
  tables?: TableOptions
}

/**
 * Starts a single-node server that speaks EventStoreDB's protocol and keeps its events in a Postgres database of its
 * own. Throws `LogInUseError` when another server keeps writing to that database, and otherwise what Postgres or the
 * port reports.
 */
export async function startLogServer(options: LogServerOptions): Promise<LogServer> {
  const {
    database,
    host = LOOPBACK,
    tls,
    users,
    secret,
    logLine = (line) => console.warn(line),
    lockWaitMs = LOCK_WAIT_MS,
    writeTimeoutMs,
    tables,
  } = options
  if (users?.length && !tls)
    throw new Error('The log server lets users in over TLS alone: it wants a certificate and a key.')
  const log = new EventLog(new PostgresStorage({ database, logLine, lockWaitMs, tables }), logLine, writeTimeoutMs)
  const calls = new OpenCalls()
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
    ...interceptorsOf(guardFor(users, secret)),
  })
  const listening = { host, port: options.port ?? 0, tls, users, secret }
  addServices(server, log, calls, () => listening)
  let connect = (socket: Socket): void => void socket.destroy()
  try {
    await log.open()
    await recordUsers(log, users ?? [])
    if (options.accepted) connect = taking(server, listening)
    else listening.port = await listen(server, listening)
  } catch (error) {
    await log.close()
    throw error
  }
  let stopped: Promise<void> | undefined
  return {
    port: listening.port,
    connectionString: connectionStringOf(listening),
    address: `esdb://${addressOf(listening)}`,
    ready: () => !stopped && log.ready(),
    connect,
    stop: () => {
      stopped ??= stop(server, log, calls)
      return stopped
    },
  }
}

const guardFor = (users: readonly LogUser[] = [], secret?: string): Guard | null => {
  if (users.length > 0) return guardOf(users)
  return secret === undefined ? null : secretGuardOf(secret)
}

const interceptorsOf = (guard: Guard | null) => guard && { interceptors: [guarded(guard)] }

function addServices(server: Server, log: EventLog, calls: OpenCalls, address: () => { host: string; port: number }) {
  const { read, ...others } = streamsService.StreamsService
  // Read's answers come encoded from the handler.
  const service = {
    ...others,
    read: { ...read, responseSerialize: (frame: Buffer) => frame },
    batchAppend: batchAppendMethod,
  }
  add(server, service, {
    read: readHandler(log, calls),
    append: appendHandler(log, calls),
    batchAppend: batchAppendHandler(log, calls),
    delete: deleteHandler(log, calls),
    tombstone: tombstoneHandler(log, calls),
  })
  add(server, featuresService.ServerFeaturesService, { getSupportedMethods: supportedMethodsHandler })
  add(server, gossipService.GossipService, { read: gossipHandler(address) })
  add(server, healthService, { check: healthHandler(() => log.alive()) })
}

const add = (server: Server, service: object, handlers: object): void =>
  server.addService(service as ServiceDefinition, handlers as UntypedServiceImplementation)

/** Writes under way are answered, followers are notified, then everything closes; a silent peer is not waited for. */
async function stop(server: Server, log: EventLog, calls: OpenCalls): Promise<void> {
  await log.stopWriting(WRITES_PATIENCE_MS)
  calls.endAll()
  await Promise.race([closed(server), pause(CLOSE_PATIENCE_MS)])
  server.forceShutdown()
  await Promise.race([log.close(), pause(CLOSE_PATIENCE_MS)])
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.tryShutdown(() => resolve()))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
