import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Listener } from './in-turn.ts'

/**
 * Ends the connections of a server that stops: each gets the answer that is under way, or the next that it asks for, with
 * `Connection: close`. Without it clients go on asking over connections that are cut in the end, and never learn what came of it.
 */
export class Drain {
  private readonly answering = new Set<ServerResponse>()
  private draining = false

  /** `closeIdle` closes the connections that nothing is asked over. */
  constructor(private readonly closeIdle: () => void) {}

  counting(begin: Listener): Listener {
    return (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.answering.add(outgoing)
      outgoing.once('close', () => this.answering.delete(outgoing))
      if (this.draining) this.makeLast(outgoing)
      begin(incoming, outgoing)
    }
  }

  begin(): void {
    this.draining = true
    for (const outgoing of this.answering) this.makeLast(outgoing)
    this.closeIdle()
  }

  private makeLast(outgoing: ServerResponse): void {
    if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
    // Its client expects to ask for more: the connection is idle once this is written.
    else outgoing.once('close', () => setImmediate(this.closeIdle))
  }
}
