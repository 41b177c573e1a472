import type { IncomingMessage } from 'node:http'

/** A page or a file is asked for to be seen; whatever else is sent may be meant without an answer. */
export const isLook = ({ method }: Pick<IncomingMessage, 'method'>) => method === 'GET' || method === 'HEAD'

/** What asks for something to be done, and has come to its last byte: it is done, whether or not its sender waits for the answer. */
export const isSentWhole = (incoming: Pick<IncomingMessage, 'method' | 'complete'>) =>
  incoming.complete && !isLook(incoming)

/**
 * Whoever reads a body that has come to its last byte reads it to its end. By itself the platform drops what nobody has read
 * yet with its connection.
 */
export function keepWhole(incoming: IncomingMessage): void {
  if (isLook(incoming)) return
  const destroy = incoming.destroy.bind(incoming)
  incoming.destroy = (error) => (incoming.complete && !incoming.readableEnded ? incoming : destroy(error))
}
