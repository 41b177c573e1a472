import { setMaxListeners } from 'node:events'
import type { Log } from './log.ts'

/** The log, of which what these ask is called off when the signal aborts. */
export function askedUntil(signal: AbortSignal, log: Log): Log {
  setMaxListeners(0, signal)
  return {
    ...log,
    id: () => log.id(signal),
    head: () => log.head(signal),
    end: () => log.end(signal),
    readLast: (stream) => log.readLast(stream, signal),
    read: (stream, from, _until, limit) => log.read(stream, from, signal, limit),
    pages: (stream, from, _until, limit) => log.pages(stream, from, signal, limit),
    readAll: (after, limit) => log.readAll(after, limit, signal),
  }
}
