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

/** What `ws` understands, the newest first. */
const VERSIONS = ['13', '8']
const MORE: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  405: { Allow: 'GET' },
  426: { Upgrade: 'websocket', 'Sec-WebSocket-Version': VERSIONS.join(', ') },
}

/** What a request that `ws` does not understand is answered with: its method, then its version, then the rest. */
export function statusOfBroken({ method, headers }: IncomingMessage): 400 | 405 | 426 {
  if (method !== 'GET') return 405
  return VERSIONS.includes(headers['sec-websocket-version'] ?? '') ? 400 : 426
}

type RefusedStatus = 400 | 403 | 404 | 405 | 426 | 429 | 503

/** Answers an upgrade that is not taken. */
export function refuseUpgrade(socket: Duplex, status: RefusedStatus, { retryInMs, headers = {} }: Refusal = {}): void {
  const retry = retryInMs === undefined ? {} : { 'Retry-After': Math.ceil(retryInMs / 1000) }
  const all = {
    ...headers,
    ...retry,
    ...MORE[status],
    'Cache-Control': 'no-store',
    'Content-Length': 0,
    // What an answer offers to change to is named here as well (RFC 9110 §7.8).
    Connection: status === 426 ? 'close, upgrade' : 'close',
  }
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
