/** Of programs and worlds that run: their answers hold to `/openapi.json`. */
const origins = new Set<string>()
const complaints: string[] = []
/** What a client reads as a stream: of its body nothing is looked at. */
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

const plainFetch = globalThis.fetch
const holding = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
  const response = await plainFetch(input, init)
  const { origin, pathname } = new URL(response.url || String(input instanceof Request ? input.url : input))
  if (!origins.has(origin) || !/^\/(api\/|media\/|account\/export\/|healthz$|readyz$|openapi\.json$)/i.test(pathname))
    return response
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase()
  await look(response, response.redirected ? 'GET' : method, pathname)
  return response
}

async function look(response: Response, method: string, pathname: string): Promise<void> {
  const { status, headers } = response
  const isRead = READ.test(headers.get('Content-Type') ?? 'text/plain')
  const text = isRead
    ? await response
        .clone()
        .text()
        .catch(() => null)
    : null
  // Only now, so that tests of other things do not read all calls.
  const { complaintsOf } = await import('./complaints.ts')
  complaints.push(...complaintsOf({ method, pathname, status, headers, text }))
}

/** Puts the check around `fetch`, once in a process. */
export function holdFetch(): void {
  if (globalThis.fetch === plainFetch) globalThis.fetch = holding
}
