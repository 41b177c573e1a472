import {
  type AllStreamRecordedEvent,
  BACKWARDS,
  EventStoreDBClient,
  FORWARDS,
  InvalidArgumentError,
  type JSONType,
  jsonEvent,
  MaxAppendSizeExceededError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { type Position, START } from '../domain/shared/recorded.ts'
import type { Appended, Expected, StorableEvent, StoredEvent } from './events.ts'
import { fromPosition, toPosition } from './position.ts'
import { backOff, withTimeout } from './retry.ts'
import { followAll } from './subscription.ts'

/** Someone else wrote first. */
export class RevisionConflict extends Error {
  override name = 'RevisionConflict'
}

/** The log did not answer in time; whether the append stands is not known until it is looked up. */
export class LogUnavailable extends Error {
  override name = 'LogUnavailable'
}

export type LogOptions = {
  /** `esdb://…` */
  readonly connectionString: string
  /** How long one answer may take before it counts as lost. */
  readonly answerMs?: number
  /** How long an append is sent again before it is given up. */
  readonly giveUpMs?: number
}

/** The one wrapper over the client: one per process, since the client's pending appends are shared by the module. */
export type Log = {
  /**
   * Durable when it resolves. A lost answer is sent again with the same ids at the same revision, so an append never
   * stands twice. Throws RevisionConflict or LogUnavailable.
   */
  append(stream: string, expected: Expected, events: readonly StorableEvent[]): Promise<Appended>
  /** The stream from a revision on, oldest first; empty when there is none. */
  read(stream: string, fromRevision?: number): Promise<StoredEvent[]>
  /** At most `limit` events of the whole log after a position, in log order, without the log's own. */
  readAll(after: Position, limit: number): Promise<StoredEvent[]>
  /** The place of the last event, START when the log is empty. */
  head(): Promise<Position>
  /**
   * A place at least `events` events before the end of the log, and before all that is younger than `since`; START when
   * the log is shorter.
   */
  placeBack(events: number, since: Date): Promise<Position>
  /** Follows the log for ever, across restarts of the server, until the signal aborts. */
  follow(after: Position, signal: AbortSignal, batch?: { max: number; waitMs: number }): AsyncGenerator<StoredEvent[]>
  close(): Promise<void>
}

const ANSWER_MS = 5_000
const GIVE_UP_MS = 15_000
const PAGE = 500

export function openLog({ connectionString, answerMs = ANSWER_MS, giveUpMs = GIVE_UP_MS }: LogOptions): Log {
  const client = EventStoreDBClient.connectionString(connectionString)
  const ask = <T>(work: () => Promise<T>) => retried(() => withTimeout(work(), answerMs), giveUpMs)
  return {
    append: (stream, expected, events) => ask(() => append(client, stream, expected, events)),
    read: (stream, fromRevision = 0) => ask(() => readStream(client, stream, fromRevision, answerMs)),
    readAll: (after, limit) => ask(() => readAllAfter(client, after, limit)),
    head: () => ask(() => readHead(client)),
    placeBack: (events, since) => placeBack((before) => ask(() => readBack(client, before)), events, since),
    follow: (after, signal, batch) => followAll(client, toStored, after, signal, batch),
    close: () => client.dispose(),
  }
}

async function append(
  client: EventStoreDBClient,
  stream: string,
  expected: Expected,
  events: readonly StorableEvent[],
): Promise<Appended> {
  const sent = events.map((event) => jsonEvent({ ...event, data: event.data as JSONType }))
  const expectedRevision = expected === 'none' ? 'no_stream' : BigInt(expected)
  const answer = await client.appendToStream(stream, sent, { expectedRevision })
  const revision = Number(answer.nextExpectedRevision)
  if (answer.position) return { revision, position: toPosition(answer.position) }
  const last = (await readStream(client, stream, revision, ANSWER_MS))[0]
  if (!last) throw new LogUnavailable(`no position for ${stream}`)
  return { revision, position: last.position }
}

async function readStream(
  client: EventStoreDBClient,
  stream: string,
  from: number,
  idleMs: number,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  const reading = client.readStream(stream, { fromRevision: BigInt(from), direction: FORWARDS })
  try {
    for await (const { event } of reading) if (event) events.push(toStored(event as AllStreamRecordedEvent))
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error
  } finally {
    await withTimeout(reading.cancel(), idleMs).catch(() => undefined)
  }
  return events
}

async function readAllAfter(client: EventStoreDBClient, after: Position, limit: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  let from = after
  while (events.length < limit) {
    const fromPosition_ = from === START ? ('start' as const) : fromPosition(from)
    const page: AllStreamRecordedEvent[] = []
    const reading = client.readAll({
      fromPosition: fromPosition_,
      direction: FORWARDS,
      maxCount: Math.min(limit, PAGE) + 1,
    })
    try {
      for await (const { event } of reading) if (event) page.push(event)
    } finally {
      await reading.cancel()
    }
    const fresh = page.filter((event) => toPosition(event.position) > from)
    if (fresh.length === 0) break
    from = toPosition(fresh[fresh.length - 1]!.position)
    events.push(...fresh.filter((event) => !event.type.startsWith('$')).map(toStored))
  }
  return events.slice(0, limit)
}

async function readHead(client: EventStoreDBClient): Promise<Position> {
  const reading = client.readAll({ fromPosition: 'end', direction: BACKWARDS, maxCount: PAGE })
  try {
    for await (const { event } of reading) if (event && !event.type.startsWith('$')) return toPosition(event.position)
  } finally {
    await reading.cancel()
  }
  return START
}

/** A page of the log that ends before a position, newest first; the log's own events count too. */
async function readBack(client: EventStoreDBClient, before: Position | undefined): Promise<AllStreamRecordedEvent[]> {
  const page: AllStreamRecordedEvent[] = []
  const from = before === undefined ? ('end' as const) : fromPosition(before)
  const reading = client.readAll({ fromPosition: from, direction: BACKWARDS, maxCount: PAGE })
  try {
    for await (const { event } of reading) {
      if (event && (before === undefined || toPosition(event.position) < before)) page.push(event)
    }
  } finally {
    await reading.cancel()
  }
  return page
}

async function placeBack(
  page: (before: Position | undefined) => Promise<AllStreamRecordedEvent[]>,
  events: number,
  since: Date,
): Promise<Position> {
  let before: Position | undefined
  for (let seen = 0; ; ) {
    const older = await page(before)
    if (older.length === 0) return START
    for (const { created, position } of older) {
      if (++seen > events && created < since) return toPosition(position)
    }
    before = toPosition(older[older.length - 1]!.position)
  }
}

function toStored(event: AllStreamRecordedEvent): StoredEvent {
  return {
    id: event.id,
    type: event.type,
    data: event.data as Record<string, unknown>,
    metadata: (event.metadata ?? {}) as Record<string, unknown>,
    stream: event.streamId,
    revision: Number(event.revision),
    position: toPosition(event.position),
    recordedAt: event.created,
  }
}

/** A refusal of the log is final; anything else is a lost answer, and the same question is asked again. */
async function retried<T>(work: () => Promise<T>, giveUpMs: number): Promise<T> {
  const until = Date.now() + giveUpMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw new RevisionConflict(error.message)
      if (error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError) throw error
      if (Date.now() > until) throw new LogUnavailable('the log does not answer', { cause: error })
      await backOff(attempt)
    }
  }
}
