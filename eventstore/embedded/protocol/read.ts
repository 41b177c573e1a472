import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { type handleServerStreamingCall, status } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import type { Visible } from '../writer/stream-state.ts'
import { rpcError, streamDeleted, toRpcError } from './errors.ts'
import { framer } from './links.ts'
import type { OpenCalls } from './open-calls.ts'
import { Outlet, ReaderGone } from './outlet.ts'
import { pages } from './pages.ts'
import { type ReadRequest, readRequestOf } from './read-request.ts'
import type { Reading } from './reading.ts'
import { numberOf, streamNameOf } from './requests.ts'
import { subscribeToAll } from './subscribe.ts'
import { subscribeToStream } from './subscribe-stream.ts'
import { firstPositionFrame, lastPositionFrame, streamNotFoundFrame } from './wire.ts'

/** Read: a stream or the whole log, either way, once or followed for ever. */
export function readHandler(log: EventLog, calls: OpenCalls): handleServerStreamingCall<ReadReq, Buffer> {
  return (call) => {
    calls.add(call)
    const outlet = new Outlet(call)
    answer(log, outlet, call.request.getOptions()).then(
      () => outlet.end(),
      (error) => {
        if (!(error instanceof ReaderGone) && !call.cancelled) call.emit('error', toRpcError(error))
      },
    )
  }
}

async function answer(log: EventLog, outlet: Outlet, options: ReadReq.Options | undefined): Promise<void> {
  const request = readRequestOf(options)
  const { stream, all, filter, resolveLinks, ids } = request
  const reading = { log, outlet, frame: framer(log, resolveLinks, ids), filter }
  if (request.count === null) return stream ? subscribeToStream(reading, stream) : subscribeToAll(reading, all)
  const range = { ...request, count: request.count }
  return stream ? readStream(reading, stream, range) : readAll(reading, all, range)
}

type Range = Pick<ReadRequest, 'backwards' | 'positions'> & { count: number }

async function readStream(
  reading: Reading,
  options: ReadReq.Options.StreamOptions,
  { backwards, count, positions }: Range,
): Promise<void> {
  const { log, outlet } = reading
  const stream = streamNameOf(options.getStreamIdentifier())
  if (!backwards && options.hasEnd()) throw rpcError(status.UNKNOWN, 'A stream is read from its end backwards alone.')
  const visible = await log.visible(stream)
  if (visible.deleted) throw streamDeleted(stream)
  if (!visible.exists) return outlet.send(streamNotFoundFrame(stream))
  const { first, last } = visible
  const asked = options.hasStart() ? 0 : options.hasEnd() ? last : numberOf(options.getRevision())
  const from = backwards ? Math.min(asked, last) : Math.max(asked, first)
  if (positions && !backwards) await sendBeginning(outlet, asked + Math.min(count, BATCH) <= first, asked, visible)
  await sendStream(reading, stream, { from, backwards, count }, visible)
  if (positions) await outlet.send(lastPositionFrame(last))
}

/** What EventStoreDB looks through at once: it names the beginning of a stream that begins behind that. */
const BATCH = 32

/** Where a stream begins, for who asked for what is before it or behind it. */
async function sendBeginning(outlet: Reading['outlet'], isBefore: boolean, asked: number, { first, last }: Visible) {
  if (isBefore) await outlet.send(firstPositionFrame(first))
  const from = Math.max(asked, first)
  if (from > last + 1) await outlet.send(firstPositionFrame(last + 1))
}

async function sendStream(
  { log, outlet, frame }: Reading,
  stream: string,
  { from, backwards, count }: { from: number; backwards: boolean; count: number },
  { first, last, since }: Visible,
): Promise<void> {
  let left = count
  const fetch = (at: number, limit: number) => log.storage.readStream(stream, { from: at, backwards, limit })
  const most = since ? Number.POSITIVE_INFINITY : count
  for await (const events of pages(fetch, { from, backwards, most, key: 'revision' })) {
    for (const event of events) {
      if (event.revision < first || event.revision > last) return
      if (event.created < since) continue
      const waiting = outlet.send(await frame(event))
      if (waiting) await waiting
      if (--left <= 0) return
    }
  }
}

async function readAll(
  { log, outlet, frame, filter }: Reading,
  options: ReadReq.Options.AllOptions | undefined,
  { backwards, count }: Range,
): Promise<void> {
  const position = numberOf(options?.getPosition()?.getCommitPosition() ?? '0')
  // Backwards from a position leaves that position out, as the next page of a backwards read expects.
  const given = backwards ? position - 1 : position
  const end = log.tail.last
  const asked = options?.hasStart() ? 0 : options?.hasEnd() ? end + (backwards ? 0 : 1) : given
  const from = backwards ? Math.min(asked, end) : asked
  let left = count
  const fetch = (at: number, limit: number) => log.storage.readAll({ from: at, backwards, limit })
  const most = filter ? Number.POSITIVE_INFINITY : left
  for await (const events of pages(fetch, { from, backwards, most, key: 'position' })) {
    for (const event of events) {
      // Nothing that was not yet acknowledged, and an end even while others write.
      if (event.position > end) return
      if (filter && !filter.wants(event)) continue
      const waiting = outlet.send(await frame(event))
      if (waiting) await waiting
      if (--left <= 0) return
    }
  }
}
