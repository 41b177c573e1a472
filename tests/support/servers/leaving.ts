import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** How a client leaves without a look at its answer. */
export const LEAVE = {
  closes: (socket: Socket) => socket.end(),
  'breaks off': (socket: Socket) => socket.resetAndDestroy(),
} as const

export async function leaveAfter(socket: Socket, way: keyof typeof LEAVE, ms: number): Promise<void> {
  if (ms > 0) await pause(ms)
  LEAVE[way](socket)
}
