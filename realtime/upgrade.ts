import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { REALTIME_PATH } from './protocol.ts'

/** A token in the address is not looked at. */
export function isRealtimePath(incoming: IncomingMessage): boolean {
  return incoming.url?.split('?')[0] === REALTIME_PATH
}

/** A refusal that is not read by then is not going to be. */
const REFUSED_MS = 2_000

/** Answers an upgrade that is not taken. */
export function refuseUpgrade(socket: Duplex, status: 403 | 404 | 429 | 503, retryInMs?: number): void {
  const retry = retryInMs === undefined ? '' : `Retry-After: ${Math.ceil(retryInMs / 1000)}\r\n`
  socket.on('error', () => socket.destroy())
  setTimeout(() => socket.destroy(), REFUSED_MS).unref()
  // Whoever sent it may never close their half.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retry}Cache-Control: no-store\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    () => socket.destroy(),
  )
}
