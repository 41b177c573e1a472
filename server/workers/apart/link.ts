import { once } from 'node:events'
import { connect } from 'node:tls'
import { keepRunning, withTimeout } from '../../../eventstore/retry.ts'
import type { Logger } from '../../../services/log.ts'
import { Channel } from '../channel.ts'
import { createAlone, type Shared, sharedOver } from '../shared/shared.ts'
import { answerPings, watchSilence } from '../silence.ts'
import type { ApartOptions } from './host.ts'
import { portOver } from './line.ts'
import { tlsBy } from './secret.ts'

/** What this process counts together with all that share the address. */
export type LimitsLink = { readonly shared: Shared; close(): Promise<void> }

/** A start waits so long for whoever counts, which may be this process itself. */
const START_MS = 3_000
const CONNECT_MS = 5_000

/**
 * Counts by the process that listens at the address. While there is none this one counts alone; it lets the next one know
 * what is open here.
 */
export async function linkLimits({ logger, ...options }: ApartOptions & { logger: Logger }): Promise<LimitsLink> {
  const stopping = new AbortController()
  const { signal } = stopping
  const channel = new Channel()
  answerPings(channel)
  const shared = sharedOver(channel, createAlone())
  let isAlone = false
  const alone = (now: boolean) => {
    if (now && !isAlone) logger.warn('Nobody counts limits for this process: it counts alone.', { kind: 'limits' })
    if (!now && isAlone) logger.warn('Limits are counted with other processes again.', { kind: 'limits' })
    isAlone = now
  }
  let hasStarted = false
  let started = () => {}
  const first = new Promise<void>((resolve) => {
    started = resolve
  })
  const running = keepRunning(
    signal,
    (gotOn) =>
      whileLinked(options, channel, signal, () => {
        alone(false)
        gotOn()
        started()
      }),
    // At a start another one, or this process itself, may be about to count.
    () => void (hasStarted && alone(true)),
  )
  await withTimeout(first, START_MS).catch(() => alone(true))
  hasStarted = true
  return {
    shared,
    async close() {
      stopping.abort()
      await running
    },
  }
}

/** Throws once there is no connection. */
async function whileLinked(
  { address, mediaSecret }: ApartOptions,
  channel: Channel,
  signal: AbortSignal,
  linked: () => void,
): Promise<void> {
  const socket = connect({ ...address, ...tlsBy(mediaSecret).client })
  const cut = () => void socket.destroy()
  signal.addEventListener('abort', cut)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', cut)
  let unwatch = () => {}
  try {
    await withTimeout(once(socket, 'secureConnect'), CONNECT_MS)
    socket.setNoDelay(true)
    channel.open(portOver(socket))
    unwatch = watchSilence(channel, cut)
    linked()
    await closed
    throw new Error('The connection has ended.')
  } finally {
    unwatch()
    cut()
    channel.close()
    signal.removeEventListener('abort', cut)
  }
}
