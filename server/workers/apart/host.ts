import { once } from 'node:events'
import { createServer, type TLSSocket } from 'node:tls'
import { keepRunning, pause } from '../../../eventstore/retry.ts'
import { Channel } from '../channel.ts'
import { createSharing } from '../shared/shared.ts'
import { answerPings, watchSilence } from '../silence.ts'
import type { LimitsAddress } from './address.ts'
import { portOver } from './line.ts'
import { tlsBy } from './secret.ts'

export type ApartOptions = { readonly address: LimitsAddress; readonly mediaSecret: string }

const HANDSHAKE_MS = 5_000
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

/** Whoever cannot come in counts alone; strangers who find the port take no more descriptors than these. */
const PROCESSES_MOST = 64

async function serve({ address, mediaSecret }: ApartOptions, signal: AbortSignal, listens: () => void): Promise<void> {
  const sharing = createSharing()
  const sockets = new Set<TLSSocket>()
  const server = createServer({ ...tlsBy(mediaSecret).server, handshakeTimeout: HANDSHAKE_MS })
  server.maxConnections = PROCESSES_MOST
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket) => {
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
  for (const socket of sockets) socket.destroy()
  await closed
}
