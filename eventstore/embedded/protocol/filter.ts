import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { StoredEvent } from '../records.ts'
import { invalidArgument } from './errors.ts'

/** Which events a reader of the whole log wants, and after how many looked at it wants a checkpoint. */
export type Filter = { wants: (event: StoredEvent) => boolean; checkpointEvery: number }

const DEFAULT_WINDOW = 32
/** Options at the beginning of an expression, as .NET writes them. */
const OPTIONS = /^\(\?([ims]+)\)/

/** Reads the filter of a request; undefined where all events are wanted. */
export function filterOf(options: ReadReq.Options.FilterOptions | undefined): Filter | undefined {
  if (!options) return undefined
  if (!options.hasMax() && !options.hasCount()) throw invalidArgument('A filter has a search window, or none.')
  const checkpointEvery = (options.getCheckpointintervalmultiplier() || 1) * (options.getMax() || DEFAULT_WINDOW)
  const byType = options.getEventType()
  const expression = byType ?? options.getStreamIdentifier()
  if (!expression) throw invalidArgument('A filter is one of types or of streams.')
  const subject = byType ? (event: StoredEvent) => event.type : (event: StoredEvent) => event.stream
  const matches = matcherOf(expression.getRegex(), expression.getPrefixList())
  return { wants: (event) => matches(subject(event)), checkpointEvery }
}

function matcherOf(regex: string, prefixes: string[]): (text: string) => boolean {
  if (!regex) return (text) => prefixes.some((prefix) => text.startsWith(prefix))
  try {
    const pattern = new RegExp(regex.replace(OPTIONS, ''), [...new Set(OPTIONS.exec(regex)?.[1])].join(''))
    return (text) => pattern.test(text)
  } catch {
    throw invalidArgument(`The filter's expression cannot be read: ${regex}`)
  }
}
