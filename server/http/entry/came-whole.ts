import type { IncomingMessage } from 'node:http'

/**
 * Whether its last bytes had come before anything was asked for it. The parser hands a request over once its head is read: what
 * the same read brought behind it, it takes in as soon as the work of that moment waits for something.
 */
export function cameWhole(incoming: Pick<IncomingMessage, 'complete'>): () => boolean {
  let whole = incoming.complete
  if (!whole)
    setImmediate(() => {
      whole = incoming.complete
    })
  return () => whole
}
