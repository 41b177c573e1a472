import { setMaxListeners } from 'node:events'
import {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  BACKWARDS,
  EventStoreDBClient,
  FORWARDS,
  InvalidArgumentError,
  type JSONType,
  jsonEvent,
  MaxAppendSizeExceededError,
  type ResolvedEvent,
  StreamDeletedError,
  type StreamingRead,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { type Position, START } from '../domain/shared/recorded.ts'
import { installAppendCodec } from './append-codec/install.ts'
import type { Appended, Expected, StorableEvent, StoredEvent } from './events.ts'
import { logIdOf } from './log-id.ts'
import { earlierPosition, inPages, isFull, lastOfOthers, roomOfPage } from './log-pages.ts'
import { fromPosition, toPosition } from './position.ts'
import { answered, backOff, withTimeout } from './retry.ts'
import { followAll } from './subscription.ts'

/** Someone else wrote first. */
export class RevisionConflict extends Error {
  override name = 'RevisionConflict'
}

/** The log did not answer in time; whether the append took effect is not known until it is looked up. */
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
  /** Gets why a subscription ended that is opened again. */
  readonly onBroken?: (error: unknown) => void
}

/**
 * The one wrapper over the client: one per process, since the client's pending appends are shared by the module. A read
 * that is late, or whose signal aborts, leaves no call open at the server; it then rejects with the signal's reason.
 */
export type Log = {
  /**
   * Durable when it resolves. A lost answer is sent again with the same ids at the same revision, so an append never
   * stands twice. Throws RevisionConflict or LogUnavailable.
   */
  append(stream: string, expected: Expected, events: readonly StorableEvent[]): Promise<Appended>
  /** The stream from a revision on, oldest first and at most `limit` events; empty when there is none. */
  read(stream: string, fromRevision?: number, signal?: AbortSignal, limit?: number): Promise<StoredEvent[]>
  /**
   * At most `limit` events of the whole log after a position, in log order, without the log's own; fewer where they are large
   * (`isFull`), and none at its end alone.
   */
  readAll(after: Position, limit: number, signal?: AbortSignal): Promise<StoredEvent[]>
  /** As `readAll`, with the log's own events, and each with all that the client knows of it. */
  readWhole(after: Position, limit: number, signal?: AbortSignal): Promise<AllStreamRecordedEvent[]>
  /** The last event of a stream; null when there is none, `ended` for a stream that was closed for ever. */
  readLast(stream: string, signal?: AbortSignal): Promise<AllStreamRecordedEvent | null | 'ended'>
  /** Which log it is: the same for as long as it lives, whatever is deleted from it. */
  id(signal?: AbortSignal): Promise<string>
  /** The position of the last event, the log's own included; START when the log is empty. */
  end(signal?: AbortSignal): Promise<Position>
  /** The position of the last event that is not the log's own, START when there is none. */
  head(signal?: AbortSignal): Promise<Position>
  /**
   * A position at least `events` events before the end of the log, and before all that is younger than `since`; START
   * when the log is shorter.
   */
  earlierPosition(events: number, since: Date): Promise<Position>
  /** Follows the log for ever, across restarts of the server, until the signal aborts. */
  follow(after: Position, signal: AbortSignal): AsyncGenerator<StoredEvent[]>
  close(): Promise<void>
}

const ANSWER_MS = 5_000
const GIVE_UP_MS = 15_000
const PAGE = 500
const LEAVE_MS = 1_000

export function openLog({ connectionString, answerMs = ANSWER_MS, giveUpMs = GIVE_UP_MS, onBroken }: LogOptions): Log {
  installAppendCodec()
  const client = EventStoreDBClient.connectionString(connectionString)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const ask = <T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) => {
    const until = signal ? [closing.signal, signal] : [closing.signal]
    return retried(() => answered(work, answerMs, until), giveUpMs, until)
  }
  let known: string | undefined
  return {
    async append(stream, expected, events) {
      const until = closing.signal
      const work = () => {
        until.throwIfAborted()
        return withTimeout(append(client, stream, expected, events), answerMs, until)
      }
      const { revision, position } = await retried(work, giveUpMs, [until])
      if (position !== null) return { revision, position }
      const last = (await ask((signal) => readStream(client, stream, { from: revision, limit: 1 }, signal)))[0]
      if (!last) throw new LogUnavailable(`no position for ${stream}`)
      return { revision, position: last.position }
    },
    read: (stream, fromRevision = 0, until, limit) =>
      inPages((from, limit) => ask((signal) => readStream(client, stream, { from, limit }, signal), until), {
        from: fromRevision,
        limit,
      }),
    readAll: (after, limit, until) => ask((signal) => readAllAfter(client, after, limit, signal), until),
    readWhole: (after, limit, until) => ask((signal) => readWholeAfter(client, after, limit, signal), until),
    readLast: (stream, until) => ask((signal) => readLastOf(client, stream, signal), until),
    async id(until) {
      const last = (stream: string) => ask((signal) => readLastOf(client, stream, signal), until)
      const first = async () => (await ask((signal) => readAllAfter(client, START, 1, signal), until))[0]?.id ?? null
      known ??= await logIdOf(client, { last, first })
      return known
    },
    end: (until) => ask((signal) => readEnd(client, signal), until),
    head: (until) =>
      lastOfOthers((before, limit) => ask((signal) => readBack(client, { before, limit }, signal), until)),
    earlierPosition: (events, since) =>
      earlierPosition((before, limit) => ask((signal) => readBack(client, { before, limit }, signal)), events, since),
    follow: (after, signal) => followAll(client, toStored, after, signal, { onBroken }),
    async close() {
      closing.abort(new LogUnavailable('the log is closed'))
      // A call that was called off before it opened never ends for the client.
      await withTimeout(client.dispose(), LEAVE_MS).catch(() => undefined)
    },
  }
}

/** `position` is null where the log does not know it any more: the events were there before. */
async function append(
  client: EventStoreDBClient,
  stream: string,
  expected: Expected,
  events: readonly StorableEvent[],
): Promise<{ revision: number; position: Position | null }> {
  const sent = events.map((event) => jsonEvent({ ...event, data: event.data as JSONType }))
  const expectedRevision = expected === 'no_stream' ? expected : BigInt(expected)
  const { nextExpectedRevision, position } = await client.appendToStream(stream, sent, { expectedRevision })
  return { revision: Number(nextExpectedRevision), position: position ? toPosition(position) : null }
}

/** Until `take` answers false. The call ends with it, and with the signal. */
async function eachEvent(
  reading: StreamingRead<ResolvedEvent | AllStreamResolvedEvent>,
  signal: AbortSignal,
  take: (event: AllStreamRecordedEvent) => unknown,
): Promise<void> {
  const cancel = () => void reading.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for await (const { event } of reading) if (event && take(event as AllStreamRecordedEvent) === false) break
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

async function readStream(
  client: EventStoreDBClient,
  stream: string,
  { from, limit }: { from: number; limit: number },
  signal: AbortSignal,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  const reading = client.readStream(stream, { fromRevision: BigInt(from), direction: FORWARDS, maxCount: limit })
  const hasRoom = roomOfPage()
  const take = (event: AllStreamRecordedEvent) => {
    events.push(toStored(event))
    return hasRoom(event)
  }
  await eachEvent(reading, signal, take).catch((error: unknown) => {
    if (!(error instanceof StreamNotFoundError)) throw error
  })
  return events
}

async function readAllAfter(
  client: EventStoreDBClient,
  after: Position,
  limit: number,
  signal: AbortSignal,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  let from = after
  while (!isFull(events, limit) && !signal.aborted) {
    const fresh = await readWholeAfter(client, from, Math.min(limit, PAGE), signal)
    if (fresh.length === 0) break
    from = toPosition(fresh[fresh.length - 1]!.position)
    events.push(...fresh.filter((event) => !event.type.startsWith('$')).map(toStored))
  }
  return events.slice(0, limit)
}

/** One more is asked for, since a page begins with the event at its position. */
async function readWholeAfter(
  client: EventStoreDBClient,
  after: Position,
  limit: number,
  signal: AbortSignal,
): Promise<AllStreamRecordedEvent[]> {
  const page: AllStreamRecordedEvent[] = []
  const fromPosition_ = after === START ? ('start' as const) : fromPosition(after)
  const reading = client.readAll({ fromPosition: fromPosition_, direction: FORWARDS, maxCount: limit + 1 })
  const hasRoom = roomOfPage()
  await eachEvent(reading, signal, (event) => {
    if (toPosition(event.position) <= after) return true
    page.push(event)
    return hasRoom(event)
  })
  return page
}

async function readLastOf(
  client: EventStoreDBClient,
  stream: string,
  signal: AbortSignal,
): Promise<AllStreamRecordedEvent | null | 'ended'> {
  let last: AllStreamRecordedEvent | null | 'ended' = null
  const reading = client.readStream(stream, { fromRevision: 'end', direction: BACKWARDS, maxCount: 1 })
  await eachEvent(reading, signal, (event) => {
    last = event
  }).catch((error: unknown) => {
    if (error instanceof StreamDeletedError) last = 'ended'
    else if (!(error instanceof StreamNotFoundError)) throw error
  })
  return last
}

async function readEnd(client: EventStoreDBClient, signal: AbortSignal): Promise<Position> {
  let end: Position = START
  const reading = client.readAll({ fromPosition: 'end', direction: BACKWARDS, maxCount: 1 })
  await eachEvent(reading, signal, ({ position }) => {
    end = toPosition(position)
  })
  return end
}

/** A page of the log that ends before a position, newest first; the log's own events count too. */
async function readBack(
  client: EventStoreDBClient,
  { before, limit }: { before: Position | undefined; limit: number },
  signal: AbortSignal,
): Promise<AllStreamRecordedEvent[]> {
  const page: AllStreamRecordedEvent[] = []
  const from = before === undefined ? ('end' as const) : fromPosition(before)
  const reading = client.readAll({ fromPosition: from, direction: BACKWARDS, maxCount: limit })
  const hasRoom = roomOfPage()
  await eachEvent(reading, signal, (event) => {
    if (before === undefined || toPosition(event.position) < before) page.push(event)
    return hasRoom(event)
  })
  return page
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
async function retried<T>(work: () => Promise<T>, giveUpMs: number, until: readonly AbortSignal[]): Promise<T> {
  const last = Date.now() + giveUpMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw new RevisionConflict(error.message)
      if (error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError) throw error
      for (const signal of until) signal.throwIfAborted()
      if (Date.now() > last) throw new LogUnavailable('the log does not answer', { cause: error })
      await backOff(attempt, ...until)
    }
  }
}
