import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { type handleServerStreamingCall, status } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import { streams } from './definitions.ts'
import { invalidArgument, rpcError, streamDeleted, toRpcError } from './errors.ts'
import { filterOf } from './filter.ts'
import { framer } from './links.ts'
import type { OpenCalls } from './open-calls.ts'
import { Outlet, ReaderGone } from './outlet.ts'
import { pages } from './pages.ts'
import type { Reading } from './reading.ts'
import { numberOf, streamNameOf } from './requests.ts'
import { subscribeToAll } from './subscribe.ts'
import { subscribeToStream } from './subscribe-stream.ts'
import { streamNotFoundFrame } from './wire.ts'

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
  if (!options) throw invalidArgument('A read needs options.')
  if (options.getUuidOption()?.hasStructured()) throw rpcError(status.UNIMPLEMENTED, 'Ids travel as text only.')
  const frame = framer(log, options.getResolveLinks())
  const reading = { log, outlet, frame, filter: filterOf(options.getFilter()) }
  const [stream, all] = [options.getStream(), options.getAll()]
  if (options.hasSubscription()) {
    if (stream) return subscribeToStream(reading, stream)
    return subscribeToAll(reading, all)
  }
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
  const count = options.hasCount() ? Number(options.getCount()) : Number.POSITIVE_INFINITY
  if (stream) return readStream(reading, stream, backwards, count)
  return readAll(reading, all, backwards, count)
}

async function readStream(
  { log, outlet, frame }: Reading,
  options: ReadReq.Options.StreamOptions,
  backwards: boolean,
  count: number,
): Promise<void> {
  const stream = streamNameOf(options.getStreamIdentifier())
  const { first, last, since, deleted, exists } = await log.visible(stream)
  if (deleted) throw streamDeleted(stream)
  if (!exists) return outlet.send(streamNotFoundFrame(stream))
  const asked = options.hasStart() ? 0 : options.hasEnd() ? last : numberOf(options.getRevision())
  const from = backwards ? Math.min(asked, last) : Math.max(asked, first)
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
  backwards: boolean,
  count: number,
): Promise<void> {
  const position = numberOf(options?.getPosition()?.getCommitPosition() ?? '0')
  // Backwards from a position leaves that position out, as the next page of a backwards read expects.
  const given = backwards ? position - 1 : position
  const end = log.tail.last
  const asked = options?.hasStart() ? 0 : options?.hasEnd() ? end + (backwards ? 0 : 1) : given
  const from = backwards ? Math.min(asked, end) : asked
  let [left, looked] = [count, 0]
  const fetch = (at: number, limit: number) => log.storage.readAll({ from: at, backwards, limit })
  const most = filter ? Number.POSITIVE_INFINITY : left
  for await (const events of pages(fetch, { from, backwards, most, key: 'position' })) {
    for (const event of events) {
      // Nothing that was not yet acknowledged, and an end even while others write.
      if (event.position > end) return
      if (filter && ++looked > filter.searchWindow && left < count) return
      if (filter && !filter.wants(event)) continue
      const waiting = outlet.send(await frame(event))
      if (waiting) await waiting
      if (--left <= 0) return
    }
  }
}
