/**
 * Of the log's wrapper, of what a later release wrote, which another process reads, and of a profile that is not shown yet or no
 * more. By name: pages are bundled with a copy of their own of these classes.
 */
const LOST = new Set(['LogUnavailable', 'AnswerLost', 'TooNewEvent', 'ProfileGone'])
/**
 * Of sockets, and of Postgres that starts, stops, has no room, lost its disk or took too long (classes 08, 53, 57 and 58), or has no
 * table yet of those that operators read, which no start waits for.
 */
const CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08\w{3}|53\w{3}|57014|57P0\d|42P01|58\w{3})$/
/** The messages of the Postgres client that come without a code. */
const WORDED =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|The connection to Postgres is silent)/

/** Whether the log or Postgres was away, rather than a mistake of ours: the same may work in a moment. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  // Its Unix socket is gone with the server.
  const noSocket = code === 'ENOENT' && syscall === 'connect'
  return (
    LOST.has(error.name) || noSocket || CODES.test(String(code)) || WORDED.test(error.message) || isAway(error.cause)
  )
}
