import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Connection } from './connection.ts'
import { REALTIME_PATH } from './protocol.ts'

/** A token in the address is not looked at. */
export function isRealtimePath(incoming: IncomingMessage): boolean {
  return incoming.url?.split('?')[0] === REALTIME_PATH
}

/** A refusal that is not read by then is not going to be. */
const REFUSED_MS = 2_000

/** `headers`: what every answer of the port carries. */
type Refusal = {
  readonly retryInMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Answers an upgrade that is not taken. */
export function refuseUpgrade(
  socket: Duplex,
  status: 403 | 404 | 429 | 503,
  { retryInMs, headers = {} }: Refusal = {},
): void {
  const retry = retryInMs === undefined ? {} : { 'Retry-After': Math.ceil(retryInMs / 1000) }
  const all = { ...headers, ...retry, 'Cache-Control': 'no-store', 'Content-Length': 0, Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.on('error', () => socket.destroy())
  setTimeout(() => socket.destroy(), REFUSED_MS).unref()
  // Whoever sent it may never close their half.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`, () => socket.destroy())
}

/** As of a frame that is too large. */
const TOO_LARGE = 1009

/** Cuts a socket that sends more than so many bytes before it is signed in. */
export function limitStranger(socket: Duplex, connection: Connection, most: number): void {
  let bytes = 0
  const hear = (piece: Buffer) => {
    bytes += piece.length
    if (connection.entered) socket.off('data', hear)
    if (connection.entered || bytes <= most) return
    socket.off('data', hear)
    connection.close(TOO_LARGE, 'sign in first')
    connection.cutOff()
  }
  socket.on('data', hear)
}
