import type { Channel } from './channel.ts'

const PING = 'ping'
const EVERY_MS = 1_000
/** So many pings in a row are without an answer: longer than a worker is ever busy, short enough for who waits on it. */
const UNANSWERED = 6

/** Both ends answer. */
export const answerPings = (channel: Channel): void => channel.on(PING, () => null)

/**
 * Calls back once the other end has answered nothing for about six seconds, as a frozen process does. It counts pings and
 * not time: where this process itself stood still, the answers that wait are read before the next ping. Call the answer
 * to end it.
 */
export function watchSilence(channel: Channel, silent: () => void, everyMs = EVERY_MS): () => void {
  let unanswered = 0
  const ping = setInterval(() => {
    if (unanswered >= UNANSWERED) {
      clearInterval(ping)
      silent()
      return
    }
    unanswered++
    channel.ask(PING, null).then(
      () => {
        unanswered = 0
      },
      () => undefined,
    )
  }, everyMs).unref()
  return () => clearInterval(ping)
}
