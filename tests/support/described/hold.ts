import type { Given } from './complaints.ts'

const STATE = Symbol.for('letsbuzz.checked-answers')

/** `origins`: of programs and worlds that run, whose answers hold to `/openapi.json`. */
type State = { readonly origins: Set<string>; readonly complaints: string[] }
/** One in a process, also where a bundle brings this file once more. */
const everywhere = globalThis as { [STATE]?: State }
everywhere[STATE] ??= { origins: new Set(), complaints: [] }
const { origins, complaints } = everywhere[STATE]
const READ = /^(application\/json|text\/)/

/** From here on, whatever this product answers to a `fetch` of its calls, media and probes is checked against the document. */
export function holdToDocument(url: string): void {
  origins.add(new URL(url).origin)
}

/** For a product that has stopped: its port may be another's. */
export function letGo(url: string): void {
  origins.delete(new URL(url).origin)
}

/** What was wrong since the last look. */
export const takeComplaints = (): string[] => complaints.splice(0)

const DESCRIBED = /^\/(api\/|media\/|account\/export\/|healthz$|readyz$|openapi\.json$)/i

/** Whether an answer from this address is one that the document has to have. */
export function isDescribed(url: string): boolean {
  const { origin, pathname } = new URL(url)
  return origins.has(origin) && DESCRIBED.test(pathname)
}

/** Whether the body of such an answer is looked at; what a client reads as a stream is not. */
export const isRead = (headers: Headers): boolean => READ.test(headers.get('Content-Type') ?? 'text/plain')

/** An answer to whichever client; its complaints are taken with those of `fetch`. */
export async function holdAnswer({ url, ...given }: Omit<Given, 'pathname'> & { readonly url: string }): Promise<void> {
  if (!isDescribed(url)) return
  // Only now, so that tests of other things do not read all calls.
  const { complaintsOf } = await import('./complaints.ts')
  complaints.push(...complaintsOf({ ...given, pathname: new URL(url).pathname }))
}

const plainFetch = globalThis.fetch
const holding = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
  const response = await plainFetch(input, init)
  const url = response.url || String(input instanceof Request ? input.url : input)
  if (!isDescribed(url)) return response
  const asked = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
  const { status, headers } = response
  const text = isRead(headers)
    ? await response
        .clone()
        .text()
        .catch(() => null)
    : null
  await holdAnswer({ url, method: response.redirected ? 'GET' : asked, status, headers, text })
  return response
}

/** Puts the check around `fetch`, once in a process. */
export function holdFetch(): void {
  if (globalThis.fetch === plainFetch) globalThis.fetch = holding
}
