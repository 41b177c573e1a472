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
import { earlierPosition, inPages, isFull, lastOfOthers, pagesOf, roomOfPage } from './log-pages.ts'
import { fromPosition, LEADER, toPosition } from './position.ts'
import { answered, untilAnswered, withTimeout } from './retry.ts'
import { type Following, followAll } from './subscription.ts'

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
   * stands twice. Throws RevisionConflict, LogUnavailable, or StreamDeletedError where the stream has ended.
   */
  append(stream: string, expected: Expected, events: readonly StorableEvent[]): Promise<Appended>
  /** The stream from a revision on, oldest first and at most `limit` events; empty where there is none, or it has ended. */
  read(stream: string, fromRevision?: number, signal?: AbortSignal, limit?: number): Promise<StoredEvent[]>
  /**
   * From a revision on and at most `limit` events, at most 500 at a time, and fewer where they are large: no stream has to be
   * in memory as a whole.
   */
  pages(stream: string, fromRevision?: number, signal?: AbortSignal, limit?: number): AsyncGenerator<StoredEvent[]>
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
  /** Follows the log for ever, across restarts of the server, until the signal aborts. `onOpen` is that of `Following`. */
  follow(after: Position, signal: AbortSignal, onOpen?: Following['onOpen']): AsyncGenerator<StoredEvent[]>
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
  const back = (until?: AbortSignal) => (before: Position | undefined, limit: number) =>
    ask((signal) => readLog(client, { before }, limit, signal), until)
  const readFrom = (stream: string, from: number, limit: number, until?: AbortSignal) =>
    ask(async (signal) => {
      const page = await readStream(client, stream, { from, limit }, signal)
      return page === 'ended' ? [] : page.map(toStored)
    }, until)
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
      const [last] = await readFrom(stream, revision, 1)
      if (!last) throw new LogUnavailable(`no position for ${stream}`)
      return { revision, position: last.position }
    },
    read: (stream, fromRevision = 0, until, limit) =>
      inPages((from, most) => readFrom(stream, from, most, until), { from: fromRevision, limit }),
    pages: (stream, fromRevision = 0, until, limit) =>
      pagesOf((from, most) => readFrom(stream, from, most, until), { from: fromRevision, limit, most: PAGE }),
    readAll: (after, limit, until) => ask((signal) => readAllAfter(client, after, limit, signal), until),
    readWhole: (after, limit, until) => ask((signal) => readLog(client, { after }, limit, signal), until),
    readLast: (stream, until) => ask((signal) => readLastOf(client, stream, signal), until),
    async id(until) {
      const last = (stream: string) => ask((signal) => readLastOf(client, stream, signal), until)
      const first = async () => (await ask((signal) => readAllAfter(client, START, 1, signal), until))[0]?.id ?? null
      known ??= await logIdOf(client, { last, first })
      return known
    },
    async end(until) {
      const [last] = await back(until)(undefined, 1)
      return last ? toPosition(last.position) : START
    },
    head: (until) => lastOfOthers(back(until)),
    earlierPosition: (events, since) => earlierPosition(back(), events, since),
    follow: (after, signal, onOpen) => followAll(client, toStored, after, signal, { onBroken, onOpen }),
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
  const { nextExpectedRevision, position } = await client.appendToStream(stream, sent, { expectedRevision, ...LEADER })
  return { revision: Number(nextExpectedRevision), position: position ? toPosition(position) : null }
}

/** What comes, as long as there is room in a page. The call ends with it, and with the signal. */
async function pageOf(
  reading: StreamingRead<ResolvedEvent | AllStreamResolvedEvent>,
  signal: AbortSignal,
  isWanted: (event: AllStreamRecordedEvent) => boolean = () => true,
): Promise<AllStreamRecordedEvent[]> {
  const page: AllStreamRecordedEvent[] = []
  const hasRoom = roomOfPage()
  const cancel = () => void reading.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for await (const resolved of reading) {
      const event = resolved.event as AllStreamRecordedEvent | undefined
      if (!event || !isWanted(event)) continue
      page.push(event)
      if (!hasRoom(event)) break
    }
    return page
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** From a revision on, oldest first, or backwards from the end; nothing where there is no such stream, `ended` where it was closed for ever. */
async function readStream(
  client: EventStoreDBClient,
  stream: string,
  { from, limit }: { from: number | 'end'; limit: number },
  signal: AbortSignal,
): Promise<AllStreamRecordedEvent[] | 'ended'> {
  const where =
    from === 'end'
      ? ({ fromRevision: from, direction: BACKWARDS } as const)
      : ({ fromRevision: BigInt(from), direction: FORWARDS } as const)
  const reading = client.readStream(stream, { ...where, maxCount: limit, ...LEADER })
  return pageOf(reading, signal).catch((error: unknown) => {
    if (error instanceof StreamNotFoundError) return []
    if (error instanceof StreamDeletedError) return 'ended'
    throw error
  })
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
    const fresh = await readLog(client, { after: from }, Math.min(limit, PAGE), signal)
    if (fresh.length === 0) break
    from = toPosition(fresh[fresh.length - 1]!.position)
    events.push(...fresh.filter((event) => !event.type.startsWith('$')).map(toStored))
  }
  return events.slice(0, limit)
}

type Part = { readonly after: Position } | { readonly before: Position | undefined }

/** A page after a position, oldest first, or before one or the end, newest first; the log's own events count too. */
function readLog(
  client: EventStoreDBClient,
  part: Part,
  limit: number,
  signal: AbortSignal,
): Promise<AllStreamRecordedEvent[]> {
  if ('before' in part) {
    const { before } = part
    const fromPosition_ = before === undefined ? ('end' as const) : fromPosition(before)
    const reading = client.readAll({ fromPosition: fromPosition_, direction: BACKWARDS, maxCount: limit, ...LEADER })
    return pageOf(reading, signal, ({ position }) => before === undefined || toPosition(position) < before)
  }
  const { after } = part
  const fromPosition_ = after === START ? ('start' as const) : fromPosition(after)
  // One more, since a page begins with the event at its position.
  const reading = client.readAll({ fromPosition: fromPosition_, direction: FORWARDS, maxCount: limit + 1, ...LEADER })
  return pageOf(reading, signal, ({ position }) => toPosition(position) > after)
}

async function readLastOf(
  client: EventStoreDBClient,
  stream: string,
  signal: AbortSignal,
): Promise<AllStreamRecordedEvent | null | 'ended'> {
  const page = await readStream(client, stream, { from: 'end', limit: 1 }, signal)
  return page === 'ended' ? page : (page[0] ?? null)
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

const FINAL = [StreamDeletedError, MaxAppendSizeExceededError, InvalidArgumentError]

/** A refusal of the log is final; anything else is a lost answer, and the same question is asked again. */
function retried<T>(work: () => Promise<T>, giveUpMs: number, until: readonly AbortSignal[]): Promise<T> {
  const last = performance.now() + giveUpMs
  const failed = (error: unknown) => {
    if (error instanceof WrongExpectedVersionError) throw new RevisionConflict(error.message)
    if (FINAL.some((kind) => error instanceof kind)) throw error
    for (const signal of until) signal.throwIfAborted()
    if (performance.now() > last) throw new LogUnavailable('the log does not answer', { cause: error })
  }
  return untilAnswered(work, failed, ...until)
}
