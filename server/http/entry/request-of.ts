import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequest } from '@remix-run/node-fetch-server'
import type { Client, SiteOptions } from '../client.ts'

/** The request as the platform knows it, under our own origin, without headers that only a trusted proxy may set. */
export function requestOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  client: Client,
  site: SiteOptions,
): Request {
  const own = new URL(client.origin ?? site.publicUrl)
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])
    delete incoming.headers[name]
  incoming.headers.host = own.host
  return createRequest(incoming, outgoing, { host: own.host, protocol: own.protocol })
}
