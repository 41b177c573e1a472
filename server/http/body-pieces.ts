import type { IncomingMessage } from 'node:http'

const KIB = 1024
/** Pieces are passed on once they are this long together, and after each read of the socket. */
const JOINED_BYTES = 16 * KIB
/** What comes in larger ones is passed on as it is. */
const LARGE_BYTES = 4 * KIB
/** Beyond so many pieces they have so many bytes on average, or the body is cut off: on the slowest network packets have 500. */
const FREE_PIECES = 256
const SMALLEST_BYTES = 128

/** `tooSmall`: the body came in so many small pieces that reading it costs others more than its bytes; no more of it is read. */
export type Pieces = { readonly tooSmall: boolean }

/**
 * Joins the pieces of a body before anything else sees them. Who sends it cuts them: each chunk of a chunked body is one, and
 * the streams above take longer for a piece than for a thousand bytes.
 */
export function joinPieces(incoming: IncomingMessage): Pieces {
  const state = { tooSmall: false }
  const push = incoming.push.bind(incoming)
  let [pieces, bytes, waitingBytes] = [0, 0, 0]
  let waiting: Buffer[] = []
  let later: NodeJS.Immediate | undefined
  const passOn = (): boolean => {
    clearImmediate(later)
    later = undefined
    if (waiting.length === 0) return true
    const joined = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting, waitingBytes)
    waiting = []
    waitingBytes = 0
    return push(joined)
  }
  const take = (piece: Buffer): boolean => {
    pieces++
    bytes += piece.length
    if (waiting.length === 0 && piece.length >= LARGE_BYTES) return push(piece)
    waiting.push(piece)
    waitingBytes += piece.length
    state.tooSmall = pieces > FREE_PIECES && bytes < pieces * SMALLEST_BYTES
    if (state.tooSmall) passOn()
    if (state.tooSmall) return false
    if (waitingBytes >= JOINED_BYTES) return passOn()
    later ??= setImmediate(passOn)
    // Beyond it the socket is not read until somebody has read what is here.
    return incoming.readableLength + waitingBytes < incoming.readableHighWaterMark
  }
  incoming.push = (piece: Buffer | null) => {
    if (piece !== null) return !state.tooSmall && take(piece)
    passOn()
    return push(null)
  }
  return state
}
