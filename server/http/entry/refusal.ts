import type { IncomingMessage } from 'node:http'
import { isUsedElsewhere } from '../../../app/request/used-elsewhere.ts'
import { escapesText } from '../../../services/media/utf-8.ts'
import { failure } from '../answers.ts'
import type { Client } from '../client.ts'
import { bringsBody } from '../early-answer.ts'
import { isApi, mayEnter } from '../origin-guard.ts'
import { PROBES } from '../turns/probes.ts'
import { hasManyHosts } from './hosts.ts'

/** Of a head; browsers send some twenty. */
export const HEADER_LINES = 100
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const FILES = /^\/(media|assets|account\/export)\//

/** What a path takes, but for calls: they answer that themselves. */
function allowing(pathname: string) {
  const methods = isApi(pathname) ? [...METHODS] : ['GET', 'HEAD', ...(FILES.test(pathname) ? [] : ['POST']), 'OPTIONS']
  return { Allow: methods.join(', ') }
}

/** The answer to a request that no file, page or call looks at; null for any other. */
export function refusal(incoming: IncomingMessage, pathname: string | null, client: Client): Response | null {
  const method = incoming.method ?? ''
  if (pathname === null) return failure(400, incoming.url ?? '/', client)
  if (incoming.rawHeaders.length > 2 * HEADER_LINES) return failure(431, pathname, client, { Connection: 'close' })
  if (hasManyHosts(incoming)) return failure(400, pathname, client)
  if (!METHODS.has(method)) return failure(405, pathname, client, allowing(pathname))
  if (client.origin === null && !PROBES.has(pathname) && !isApi(pathname)) return failure(421, pathname, client)
  const origin = incoming.headers.origin ?? null
  const fetched = fetchedOf(incoming)
  const approach = { method, pathname, origin, own: client.origin, fetchSite: fetched.site }
  if (!mayEnter(approach)) return failure(403, pathname, client)
  // Before anything is looked up or counted for its network.
  if (pathname.startsWith('/media/') && isUsedElsewhere(fetched)) return failure(403, pathname, client)
  if (asksForOldData(incoming.url) || asksForTooMuch(incoming.url) || !asksInText(incoming.url))
    return failure(400, pathname, client)
  // Data is what a call answers: no other address below `/api` has any.
  if (isApi(pathname) && pathname.endsWith('.data')) return failure(404, pathname, client)
  const isRead = method === 'GET' || method === 'HEAD'
  // Nothing would read it.
  if (isRead && bringsBody(incoming)) return failure(400, pathname, client, { Connection: 'close' })
  if (method !== 'OPTIONS' || isApi(pathname)) return null
  return new Response(null, { status: 204, headers: allowing(pathname) })
}

/** Of the page that asks, by its browser. */
function fetchedOf({ headers }: IncomingMessage) {
  const of = (name: string) => String(headers[name] ?? '') || null
  return {
    site: of('sec-fetch-site'),
    mode: of('sec-fetch-mode'),
    dest: of('sec-fetch-dest'),
    purpose: of('sec-purpose'),
  }
}

/** How Remix was asked for one route's data before single fetch; it still answers, with an error in the log for each. */
const asksForOldData = (target = '') => new URLSearchParams(target.replace(/^[^?]*/, '')).has('_data')

/** What is no UTF-8 is read as a sign that nobody sent (api-contract §6.0). */
const asksInText = (target = '') => escapesText(target.replace(/^[^?]*/, ''))

/** No page or call has as many parameters, and each is read several times on the way. */
const PARAMETERS = 100
/** What asks for the routes behind the links of a page, each of them by name; it has a bound of its own. */
const MANIFEST = '/__manifest?'
const asksForTooMuch = (target = '') =>
  target.split('&', PARAMETERS + 1).length > PARAMETERS && !target.startsWith(MANIFEST)
