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
 * Whether a request is let in: one that may change anything comes from our own pages (security T23). Under `/api`, where
 * only bearer tokens count, a request of a program carries no Origin and passes; one of a foreign page does not, whatever it
 * asks (api-contract §6.0).
 */
export function mayEnter({ method, pathname, origin, fetchSite, own }: Approach): boolean {
  const isLook = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (isLook && (origin === null || !isApi(pathname))) return true
  if (origin !== null) return own !== null && origin === own
  if (isApi(pathname)) return fetchSite === null || fetchSite === 'same-origin' || fetchSite === 'none'
  return own !== null && (fetchSite === 'same-origin' || fetchSite === 'none')
}
