import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { streams } from './definitions.ts'
import { invalidArgument } from './errors.ts'
import { type Filter, filterOf } from './filter.ts'
import type { IdForm } from './uuids.ts'

/** A read as it was asked for. `count` is null for a subscription; `positions`: whether the client knows of them. */
export type ReadRequest = {
  stream: ReadReq.Options.StreamOptions | undefined
  all: ReadReq.Options.AllOptions | undefined
  count: number | null
  backwards: boolean
  filter: Filter | undefined
  resolveLinks: boolean
  ids: IdForm
  positions: boolean
}

/** Refuses what the protocol can state and EventStoreDB does not do. */
export function readRequestOf(options: ReadReq.Options | undefined): ReadRequest {
  if (!options) throw invalidArgument('A read needs options.')
  const [stream, all] = [options.getStream(), options.getAll()]
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS
  const subscribes = options.hasSubscription()
  if (!stream && !all) throw invalidArgument('A read names a stream, or all.')
  if (!subscribes && !options.hasCount()) throw invalidArgument('A read has a number of events, or is a subscription.')
  if (!options.hasFilter() && !options.hasNoFilter()) throw invalidArgument('A read has a filter, or none.')
  if (stream && options.hasFilter()) throw invalidArgument('A stream is read without a filter.')
  if (subscribes && backwards) throw invalidArgument('A subscription goes forwards.')
  const uuids = options.getUuidOption()
  if (!uuids) throw invalidArgument('A read names the form of its ids.')
  return {
    stream,
    all,
    count: subscribes ? null : Number(options.getCount()),
    backwards,
    filter: filterOf(options.getFilter()),
    resolveLinks: options.getResolveLinks(),
    ids: uuids.hasString() ? 'text' : 'structured',
    positions: (options.getControlOption()?.getCompatibility() ?? 0) > 0,
  }
}
