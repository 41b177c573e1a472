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
