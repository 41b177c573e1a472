import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { StoredEvent } from '../records.ts'
import { invalidArgument } from './errors.ts'

/** Which events a reader of the whole log wants, and after how many looked at it wants a checkpoint. */
export type Filter = { wants: (event: StoredEvent) => boolean; checkpointEvery: number; searchWindow: number }

const DEFAULT_WINDOW = 32

/** Reads the filter of a request; undefined where all events are wanted. */
export function filterOf(options: ReadReq.Options.FilterOptions | undefined): Filter | undefined {
  if (!options) return undefined
  const searchWindow = options.hasMax() ? options.getMax() : Number.POSITIVE_INFINITY
  const checkpointEvery = (options.getCheckpointintervalmultiplier() || 1) * (options.getMax() || DEFAULT_WINDOW)
  const byType = options.getEventType()
  const expression = byType ?? options.getStreamIdentifier()
  const subject = byType ? (event: StoredEvent) => event.type : (event: StoredEvent) => event.stream
  const matches = matcherOf(expression?.getRegex() ?? '', expression?.getPrefixList() ?? [])
  return { wants: (event) => matches(subject(event)), checkpointEvery, searchWindow }
}

function matcherOf(regex: string, prefixes: string[]): (text: string) => boolean {
  if (!regex) return (text) => prefixes.some((prefix) => text.startsWith(prefix))
  try {
    const pattern = new RegExp(regex)
    return (text) => pattern.test(text)
  } catch {
    throw invalidArgument(`The filter's expression cannot be read: ${regex}`)
  }
}
