import { IncomingMessage, type ServerResponse } from 'node:http'

/**
 * A request that asks for another protocol, as node's parser hands it over: only sockets are one here. Any other offer, such as
 * `h2c`, may be passed over (RFC 9110 §7.8), and the request is an ordinary one. Node asks `upgrade` once the head is read, and
 * takes a request out of HTTP for good where it is true.
 */
export class Asking extends IncomingMessage {
  /** What the parser found: an offer, or CONNECT. No initial value, which would come after the one of the constructor. */
  declare private offered: boolean | null

  /** It would be one too many to wait for the answers before it. */
  declare private isLast: boolean | undefined

  get upgrade(): boolean {
    // Asked first when the head is whole; until then there is no method.
    if (this.method) this.isLast ??= this.isTooMany()
    if (this.isLast) return true
    return this.offered === true && (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket')
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered
  }

  protected isTooMany(): boolean {
    return false
  }

  get isPassedOver(): boolean {
    return this.offered === true && !this.upgrade
  }
}

/**
 * The parser goes on through all that one read brought, thousands of requests, whoever closes the connection meanwhile: what
 * it takes for an offer alone stops it. So the request that is one too many is one, and ends its connection.
 */
export const askingWithin = (isTooMany: (incoming: IncomingMessage) => boolean) =>
  class extends Asking {
    protected override isTooMany(): boolean {
      return isTooMany(this)
    }
  }

/**
 * Makes the answer to a request whose offer is passed over the last of its connection: the parser drops what the same read
 * brought behind it, and whoever sent that would wait for ever.
 */
export function closeBehindOffer(incoming: Asking, outgoing: ServerResponse): void {
  if (incoming.isPassedOver) outgoing.shouldKeepAlive = false
}
