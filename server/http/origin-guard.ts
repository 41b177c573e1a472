/** What the guard reads of a request. */
export type Approach = {
  method: string
  pathname: string
  /** The `Origin` header, null when absent. */
  origin: string | null
  /** The `Sec-Fetch-Site` header, null when absent. */
  fetchSite: string | null
  /** Our own origin, as the request's Host names it; null for a foreign Host. */
  own: string | null
}

export function isApi(pathname: string): boolean {
  return /^\/api(\/|$)/i.test(pathname)
}

/**
 * Whether a request may change anything (security T23): it comes from our own pages. Under `/api`, where only bearer
 * tokens count, a request of a program carries no Origin and passes; one of a foreign page does not.
 */
export function mayWrite({ method, pathname, origin, fetchSite, own }: Approach): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  if (origin !== null) return own !== null && origin === own
  if (isApi(pathname)) return fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none'
  return own !== null && (fetchSite === 'same-origin' || fetchSite === 'none')
}
