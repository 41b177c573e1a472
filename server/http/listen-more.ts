import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { answered } from '../../eventstore/retry.ts'
import { killChild } from '../embedded/lifecycle/kill-child.ts'
import { WAITING } from './listen.ts'

/** Connections that are taken in one round of the event loop. */
const EACH_ROUND = 32
/** Sends back each handle that it is sent. */
const ECHO = 'process.on("message", (message, handle) => process.send(message, handle))'
const ECHO_MS = 10_000
/** It gets no secret and no address. */
const BARE = { NODE_ENV: 'production' } as const

export type MoreOptions = { readonly eachRound?: number; readonly signal?: AbortSignal }

/** Resolves once it listens no more and the connections that it took have ended. */
export type MoreListeners = { close(): Promise<void> }

/**
 * Node takes one connection from a handle in each round of its event loop. With much work in each round a crowd fills the
 * port's queue; then the kernel drops newcomers, who try again after a second. Each further handle on the same queue takes
 * one more in each round; `signal` gives up. A process has a second handle only from another one: a child that lives for a
 * moment sends it back. Without it, as on Windows, the first handle takes them all.
 */
export async function listenMore(
  server: Server,
  { eachRound = EACH_ROUND, signal = new AbortController().signal }: MoreOptions = {},
): Promise<MoreListeners> {
  const more: Server[] = []
  const close = async () => void (await Promise.all(more.map(closed)))
  // Its types leave out what a cluster sends in the same way.
  const { _handle: handle } = server as Server & { readonly _handle?: Server }
  if (!handle || process.platform === 'win32') return { close }
  const child: ChildProcess = spawn(process.execPath, ['-e', ECHO], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: BARE,
  })
  // Whoever waits for an answer reads it there; it may come when nobody does.
  child.on('error', () => undefined)
  try {
    while (more.length + 1 < eachRound) more.push(await listenOn(await sentBack(child, handle, signal), server))
  } catch (error) {
    await close()
    throw error
  } finally {
    killChild(child)
  }
  return { close }
}

/** Rejects when the child cannot start or does not answer. */
async function sentBack(child: ChildProcess, handle: Server, signal: AbortSignal): Promise<object> {
  const [, again] = await answered(
    async (soon) => {
      const back = once(child, 'message', { signal: soon })
      // Without a descriptor there is no channel, and to send throws before anybody waits.
      back.catch(() => undefined)
      child.send('handle', handle, (error) => error && child.emit('error', error))
      return back
    },
    ECHO_MS,
    [signal],
  )
  return again
}

/** What it takes is served as `server` serves its own. */
async function listenOn(handle: object, server: Server): Promise<Server> {
  const one = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  // As where no descriptor is left: one connection is lost, and the next may be taken.
  one.on('error', () => undefined)
  // Each further one sets anew for how many the queue has room.
  one.listen(handle, WAITING)
  await once(one, 'listening')
  return one
}

const closed = (one: Server) => new Promise((resolve) => one.close(resolve))
