import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { keepRunning, pause } from '../../../eventstore/retry.ts'
import { Channel } from '../channel.ts'
import { createSharing } from '../shared/shared.ts'
import { answerPings, watchSilence } from '../silence.ts'
import type { LimitsAddress } from './address.ts'
import { portOver } from './line.ts'
import { tlsBy } from './secret.ts'

export type ApartOptions = { readonly address: LimitsAddress; readonly mediaSecret: string }

export const HANDSHAKE_MS = 2_000
const AGAIN_MS = 500

/**
 * Counts for all processes that share an address, once it can listen there: one process can at a time, on the machine
 * that has the address, and another does where that one ends.
 */
export function hostLimits(options: ApartOptions): { close(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = keepRunning(
    signal,
    async (gotOn) => {
      await serve(options, signal, gotOn)
    },
    // Another one is there already, or the address is another machine's.
    () => pause(AGAIN_MS, signal),
  )
  return {
    async close() {
      stopping.abort()
      await running
    },
  }
}

/** So many connections that have not shaken hands: strangers who find the port take no more descriptors. */
export const WAITING_MOST = 256

/** Of those who wait the one that came first goes for one more: a process shakes hands at once, a stranger never. */
function createWaiting() {
  const sockets = new Map<string, Socket>()
  const nameOf = ({ localAddress, remoteAddress, remotePort }: Socket) =>
    `${localAddress} ${remoteAddress} ${remotePort}`
  return {
    enter(socket: Socket) {
      const name = nameOf(socket)
      sockets.set(name, socket)
      socket.once('close', () => sockets.get(name) === socket && sockets.delete(name))
      const [first] = sockets.values()
      if (sockets.size > WAITING_MOST) first?.destroy()
    },
    leave: (socket: TLSSocket) => void sockets.delete(nameOf(socket)),
    close() {
      for (const socket of sockets.values()) socket.destroy()
    },
  }
}

async function serve({ address, mediaSecret }: ApartOptions, signal: AbortSignal, listens: () => void): Promise<void> {
  const sharing = createSharing()
  const sockets = new Set<TLSSocket>()
  const server = createServer({ ...tlsBy(mediaSecret).server, handshakeTimeout: HANDSHAKE_MS })
  const waiting = createWaiting()
  server.on('connection', (socket: Socket) => waiting.enter(socket))
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket) => {
    waiting.leave(socket)
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    const channel = new Channel(portOver(socket))
    answerPings(channel)
    const end = sharing.serve(channel)
    const unwatch = watchSilence(channel, () => socket.destroy())
    socket.once('close', () => {
      sockets.delete(socket)
      unwatch()
      channel.close()
      end()
    })
  })
  server.listen({ ...address, exclusive: true })
  await once(server, 'listening', { signal })
  server.on('error', () => undefined)
  listens()
  if (!signal.aborted) await once(signal, 'abort')
  const closed = once(server, 'close')
  server.close()
  waiting.close()
  for (const socket of sockets) socket.destroy()
  await closed
}
