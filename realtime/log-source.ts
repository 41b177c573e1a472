import type { Log } from '../eventstore/log.ts'
import type { EventSource } from './source.ts'

/**
 * The log as a node needs it; `feed` is what this process follows it by, the log itself when nobody else does. `epoch` is where
 * set-backs are known; a log that is never set back has its id.
 */
export function createLogSource(
  log: Log,
  feed: Pick<Log, 'follow' | 'head'> = log,
  epoch: EventSource['epoch'] = () => log.id(),
): EventSource {
  return {
    follow: (after, signal) => feed.follow(after, signal),
    head: () => feed.head(),
    read: (stream, from, limit) => log.read(stream, from, undefined, limit),
    earlierPosition: (events, since) => log.earlierPosition(events, since),
    epoch,
    firstEpoch: () => log.id(),
  }
}
