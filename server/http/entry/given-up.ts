import type { IncomingMessage } from 'node:http'
import { isLook, isSentWhole } from './sent-whole.ts'

/**
 * Whether whoever asked has closed the connection since. What a connection brought is read with its request, its end by the
 * next round of the event loop alone: where the port is crowded, most that is found there is of clients that no longer wait.
 */
export async function isGivenUp({ socket }: IncomingMessage, rounds = 2): Promise<boolean> {
  const hasEnded = () => socket.readableEnded || socket.destroyed
  for (let round = 0; round < rounds && !hasEnded(); round++) await new Promise(setImmediate)
  return hasEnded()
}

/** The same of a page or file that is gone by the next round; what asks for anything to be done may be meant without an answer. */
export const isGoneLook = async (incoming: IncomingMessage): Promise<boolean> =>
  isLook(incoming) && (await isGivenUp(incoming, 1))

/** The same where it is its turn, but for what was sent whole. */
export const isGoneByTurn = async (incoming: IncomingMessage): Promise<boolean> =>
  (await isGivenUp(incoming)) && !isSentWhole(incoming)
