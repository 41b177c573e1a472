import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { headersOf } from './send.ts'

/** How long the rest of a body is read after its answer: in all, and while nothing of it comes. */
export type Linger = { readonly ms: number; readonly idleMs: number }
const LINGER: Linger = { ms: 30_000, idleMs: 5_000 }

/** Whether some of the body is still to come, once what has come is parsed. */
export async function isSending(incoming: IncomingMessage): Promise<boolean> {
  const { headers } = incoming
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !incoming.complete) await setImmediate()
  return hasBody && !incoming.complete
}

/**
 * Answers whoever is still sending: whole and at once, for those who then stop. Others look at no answer before they have
 * sent everything, and a connection that is closed on data nobody read is reset, with the answer in it: so the rest is read,
 * for a bounded time, and dropped.
 */
export async function sendEarly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
  { ms, idleMs }: Linger = LINGER,
): Promise<void> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const length = response.status === 204 ? {} : { 'content-length': bytes.length }
  outgoing.writeHead(response.status, response.statusText, { ...headersOf(response), ...length, connection: 'close' })
  // The end would close the connection.
  if (bytes.length > 0) outgoing.write(bytes)
  else outgoing.flushHeaders()
  incoming.setTimeout(idleMs)
  // Whoever still waits for the body gets no end of it that was not sent.
  for (const event of ['data', 'end']) incoming.removeAllListeners(event)
  void finished(incoming.resume(), { signal: AbortSignal.timeout(ms) }).then(
    () => outgoing.end(),
    () => incoming.destroy(),
  )
}
