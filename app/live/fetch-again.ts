const FIRST_MS = 500
const LONGEST_MS = 15_000
/** Of a product that is starting, or of what stands before it; or of an address that asks too often for a while. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Also a fault of the product: what is typed on the page is worth more than the news of it. */
const AWAY_OR_FAULT: ReadonlySet<number> = new Set([...AWAY, 500])
/** So often a fault is passed over in the read that follows a form, which somebody waits for. */
const FAULTS_OF_SENT = 4
const NONE: ReadonlySet<number> = new Set()
/** As browsers word it. */
const UNREACHED = 'Failed to fetch'

type Place = { readonly pathname: string; readonly search: string }

/** What the router knows: the page that is shown, and the navigation that is under way. */
export type Shown = {
  readonly location: Place
  readonly navigation: { readonly state: string; readonly location?: Place | undefined; readonly formMethod?: unknown }
  /** Of the page's parts that failed, which have nothing to lose. */
  readonly errors?: unknown
}

/**
 * The page's `fetch`, but for what reads the data of pages. An answer that is not of this product, such as that of a
 * network which asks to sign in, or of a proxy whose server is away, counts as none. What reads the page that is shown
 * again waits until there is one, and is not failed: a failed read takes the page away, with what is typed on it. A page
 * that is gone to fails at once, and so does all that is sent.
 */
export const fetchAgain =
  (fetch: typeof window.fetch, shown: () => Shown | undefined): typeof window.fetch =>
  async (input, init) => {
    const asked = dataAsked(input, init)
    if (!asked) return fetch(input, init)
    const page = shown()
    const read = () => fetch(input, init)
    try {
      return await (page && readsAgain(asked, page) ? patiently(read, page, init?.signal) : ours(await read()))
    } catch (error) {
      lost.add(error as object)
      throw error
    }
  }

/** What reads of pages failed with. */
const lost = new WeakSet<object>()

/**
 * Remix hands a failed read to its page once the sheets of that page are there. Until then, and for a page that has been left, nobody
 * has asked for it, which browsers call an error.
 */
export function hushLostReads(event: PromiseRejectionEvent): void {
  if (lost.has(event.reason)) event.preventDefault()
}

async function patiently(read: () => Promise<Response>, page: Shown, signal?: AbortSignal | null): Promise<Response> {
  const faults = faultsPassed(page)
  for (let wait = FIRST_MS, tries = 0; ; wait = Math.min(2 * wait, LONGEST_MS), tries++) {
    try {
      return await whole(await ours(await read(), tries < faults ? AWAY_OR_FAULT : AWAY))
    } catch (error) {
      if (!(error instanceof TypeError) || signal?.aborted) throw error
      await lineOrTime(wait, signal)
    }
  }
}

/** The address of a page's data, if that is what is read. */
function dataAsked(input: RequestInfo | URL, init?: RequestInit): URL | null {
  if (input instanceof Request || (init?.method ?? 'GET') !== 'GET') return null
  const url = new URL(input, location.href)
  return url.origin === location.origin && url.pathname.endsWith('.data') ? url : null
}

/** Neither for a page that is gone to, nor for another address of this one. What follows a form that was sent here counts. */
function readsAgain(asked: URL, { location: here, navigation }: Shown): boolean {
  const sent = navigation.formMethod !== undefined && navigation.formMethod !== 'get'
  if (navigation.location && !(sent && isSame(navigation.location, here))) return false
  const own = here.pathname === '/' ? '/_root' : here.pathname.replace(/\/$/, '')
  return asked.pathname === `${own}.data` && searchOf(asked.search) === searchOf(here.search)
}

/** In a read that nobody asked for, each one. */
function faultsPassed({ navigation, errors }: Shown): number {
  if (errors) return 0
  return navigation.location ? FAULTS_OF_SENT : Number.POSITIVE_INFINITY
}

/** A form of a page among others under its address is sent to `?index`. */
const isSame = (one: Place, other: Place) =>
  one.pathname === other.pathname && searchOf(one.search) === searchOf(other.search)

/** Without what Remix itself adds to it. */
function searchOf(search: string): string {
  const params = new URLSearchParams(search)
  for (const name of ['_routes', 'index']) params.delete(name)
  return params.toString()
}

/** The answer, if it is one of this product, and not of a status that passes. */
async function ours(answer: Response, passing = NONE): Promise<Response> {
  if (answer.headers.get('Content-Type')?.startsWith('text/x-script') && !passing.has(answer.status)) return answer
  await answer.body?.cancel()
  throw new TypeError(UNREACHED)
}

/** Read to its end: it can break off on its way. */
async function whole(answer: Response): Promise<Response> {
  const { status, headers } = answer
  return new Response(await answer.arrayBuffer(), { status, headers })
}

/** Until the browser is online again, the time is over, or nobody waits any more. */
function lineOrTime(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
    signal?.addEventListener('abort', done)
  })
}
