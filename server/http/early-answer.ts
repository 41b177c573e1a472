import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import type { Pace } from './read-pace.ts'
import { headersOf } from './send.ts'

/** How long the rest of a body is read after its answer: in all, and while nothing of it comes. */
export type Linger = { readonly ms: number; readonly idleMs: number }
const LINGER: Linger = { ms: 30_000, idleMs: 5_000 }

/** Connections of one network: a household's uploads that are refused at once. */
const READ_AT_ONCE = 8

/** So much of an answer is kept at once, to find its length; more of it goes as fast as it is read. */
const KEPT_BYTES = 256 * 1024

/** Whether a request brings a body, of whatever length. */
export function bringsBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}

/** Whether some of the body is still to come, once what has come is parsed. */
export async function isSending(incoming: IncomingMessage): Promise<boolean> {
  const isOpen = () => bringsBody(incoming) && !incoming.complete
  if (isOpen()) await setImmediate()
  return isOpen()
}

/** Who sends on after the answer: from where, and how fast that is read. */
type Sending = { readonly network: string; readonly pace: Pace }

/** Answers those who are still sending. */
export class EarlyAnswers {
  /** By network, the connections whose rest is being read. */
  private readonly read = new Map<string, number>()

  constructor(private readonly linger: Linger = LINGER) {}

  /**
   * Answers at once, and whole for those who then stop. Others look at no answer before they have sent everything, and a
   * connection that is closed on data nobody read is reset, with the answer in it: so the rest is read, for a bounded time, of
   * a few connections of each network, and dropped.
   */
  async send(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    response: Response,
    { network, pace }: Sending,
  ): Promise<void> {
    const { body, start } = await beginningOf(response)
    // Of one that is closed no end is heard any more, which would give its place back.
    if (outgoing.destroyed) return void body.destroy()
    const isWhole = body.readableEnded
    // Without its length an answer would be whole at its end alone, which would close the connection.
    const length = isWhole && response.status !== 204 ? { 'content-length': start.length } : {}
    outgoing.writeHead(response.status, response.statusText, { ...length, ...headersOf(response), connection: 'close' })
    outgoing.flushHeaders()
    const leave = this.enter(network)
    if (leave) {
      outgoing.once('close', leave)
      dropRest(incoming, pace, this.linger.idleMs)
    }
    if (incoming.method === 'HEAD') body.destroy()
    else {
      outgoing.write(start)
      if (!isWhole) await pipeline(body, outgoing, { end: false })
    }
    if (!leave) return void outgoing.end(() => incoming.destroy())
    void finished(incoming, { signal: AbortSignal.timeout(this.linger.ms) }).then(
      () => outgoing.end(),
      () => incoming.destroy(),
    )
  }

  /** Null where as many of the network are read already. */
  private enter(network: string): (() => void) | null {
    const open = this.read.get(network) ?? 0
    if (open >= READ_AT_ONCE) return null
    this.read.set(network, open + 1)
    return () => {
      const left = (this.read.get(network) ?? 0) - 1
      if (left > 0) this.read.set(network, left)
      else this.read.delete(network)
    }
  }
}

/** Reads what nobody wants, at its pace. */
function dropRest(incoming: IncomingMessage, pace: Pace, idleMs: number): void {
  incoming.setTimeout(idleMs)
  // Whoever still waits for the body gets no end of it that was not sent.
  for (const event of ['data', 'end']) incoming.removeAllListeners(event)
  incoming.on('data', ({ length }: Buffer) => {
    const waitMs = pace(length)
    if (waitMs === 0) return
    incoming.pause()
    setTimeout(() => incoming.resume(), waitMs).unref()
  })
  incoming.resume()
}

/** An answer's body, and what of it was read: all, or a little more than is kept. */
async function beginningOf({ body }: Response): Promise<{ body: Readable; start: Buffer }> {
  const rest = body ? Readable.fromWeb(body as NodeWebStream) : Readable.from([])
  const start: Uint8Array[] = []
  let size = 0
  for await (const piece of rest.iterator({ destroyOnReturn: false })) {
    start.push(piece)
    size += piece.length
    if (size > KEPT_BYTES) break
  }
  return { body: rest, start: Buffer.concat(start) }
}
