const FIRST_MS = 500
const LONGEST_MS = 15_000

/**
 * The page's `fetch`, but for one thing: what reads the data of the page that is open again waits for the line where it
 * gets no answer, and is not failed. A failed read takes the page away, with what is typed on it. A page that is gone to
 * fails as before, and so does all that is sent.
 */
export const fetchAgain =
  (fetch: typeof window.fetch): typeof window.fetch =>
  async (input, init) => {
    if (!readsThisPage(input, init)) return fetch(input, init)
    for (let wait = FIRST_MS; ; wait = Math.min(2 * wait, LONGEST_MS)) {
      try {
        return await fetch(input, init)
      } catch (error) {
        if (!(error instanceof TypeError) || init?.signal?.aborted || !readsThisPage(input, init)) throw error
        await lineOrTime(wait, init?.signal)
      }
    }
  }

function readsThisPage(input: RequestInfo | URL, init?: RequestInit): boolean {
  if (input instanceof Request || (init?.method ?? 'GET') !== 'GET') return false
  const { pathname, origin } = new URL(input, location.href)
  const own = location.pathname === '/' ? '/_root' : location.pathname.replace(/\/$/, '')
  return origin === location.origin && pathname === `${own}.data`
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
