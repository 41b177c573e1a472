import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import type { Target } from './kinds.ts'

const AT_ONCE = 40
const LARGE = 'x'.repeat(1024 * 1024)
const FRAMES = 30

/** A socket from the attacker's address; resolves when it is open or refused. */
function open({ port, address }: Target): Promise<WebSocket | null> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime`, {
    localAddress: address,
    origin: `http://127.0.0.1:${port}`,
  })
  return new Promise((resolve) => {
    socket.on('open', () => resolve(socket))
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(null))
  })
}

/** Sockets that send nothing, as many as are let in. */
export async function socketFlood(target: Target): Promise<void> {
  const all: WebSocket[] = []
  while (!target.stopped()) {
    const opened = await Promise.all(Array.from({ length: AT_ONCE }, () => open(target)))
    all.push(...opened.filter((socket) => socket !== null))
    if (!opened.some(Boolean)) await pause(100)
  }
  for (const socket of all) socket.terminate()
}

/** Frames of a megabyte, and many small ones that are no frames. */
export const oversizedFrames = (target: Target) => again(target, () => [LARGE, '{', '[]', 'x'.repeat(16_000)])

/** Empty pings and pongs, which ask for nothing. */
export async function controlFrames(target: Target): Promise<void> {
  while (!target.stopped()) {
    const socket = await open(target)
    if (!socket) await pause(50)
    for (let sent = 0; sent < 5_000 && socket?.readyState === WebSocket.OPEN; sent++)
      socket[sent % 2 ? 'ping' : 'pong']()
    await pause(20)
    socket?.terminate()
  }
}

/** A member's sockets that ask for all they ever missed, again and again. */
export const resumeStorm = (target: Target) =>
  again(target, (token) => [
    JSON.stringify({ type: 'auth', token, last: FIRST }),
    ...Array<string>(FRAMES).fill(JSON.stringify({ type: 'resume', last: FIRST, epoch: 'another' })),
  ])

const FIRST = '0'.repeat(13)

async function again(target: Target, frames: (token: string) => readonly string[]): Promise<void> {
  const worker = async (at: number) => {
    for (let turn = at; !target.stopped(); turn++) {
      const socket = await open(target)
      if (!socket) await pause(50)
      for (const frame of frames(target.tokens[turn % target.tokens.length] ?? '')) socket?.send(frame)
      await pause(20)
      socket?.terminate()
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, at) => worker(at)))
}
