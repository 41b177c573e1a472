import type { IncomingMessage } from 'node:http'

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
  (incoming.method === 'GET' || incoming.method === 'HEAD') && (await isGivenUp(incoming, 1))
