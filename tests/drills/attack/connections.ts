import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './kinds.ts'

const KEPT = 300
const DRIP_MS = 500

/** Opens connections and opens them again as they are closed, and does one thing with all of them every half second. */
async function keepOpen({ port, address, stopped }: Target, greet: string, drip: string, halfOpen = false) {
  const open = new Set<Socket>()
  while (!stopped()) {
    for (let missing = KEPT - open.size; missing > 0; missing--) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: address, allowHalfOpen: halfOpen })
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => socket.destroy())
      if (halfOpen) socket.end(greet)
      else socket.write(greet)
    }
    await pause(DRIP_MS)
    if (drip) for (const socket of open) socket.write(drip)
  }
  for (const socket of open) socket.destroy()
}

/** Headers that never end. */
export const slowHeader = (target: Target) => keepOpen(target, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ', 'a')

/** Bodies that come a byte at a time. */
export const slowBody = (target: Target) =>
  keepOpen(
    target,
    'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 200000\r\n\r\nemail=',
    'a',
  )

/** Requests whose sender closes one half and never reads. */
export const halfClosed = (target: Target) =>
  keepOpen(target, 'GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n', '', true)

const LANES = 5
const PATIENCE_MS = 50

/** Opens one connection after the other; each is closed once it was given up. */
async function openAgain({ port, address, stopped }: Target, giveUp: (socket: Socket) => Promise<unknown>) {
  const lane = async () => {
    while (!stopped()) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: address })
      socket.on('error', () => socket.destroy())
      const closed = once(socket, 'close')
      socket.resume()
      await giveUp(socket)
      socket.destroy()
      await closed.catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** Pages that nobody waits for. */
export const abandonedPages = (target: Target) =>
  openAgain(target, (socket) => {
    socket.write('GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return pause(PATIENCE_MS)
  })

/** Connections over which nothing is asked. */
export const emptyConnections = (target: Target) =>
  openAgain(target, (socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined))
