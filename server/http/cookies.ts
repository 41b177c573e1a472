/** A `__Host-` cookie is bound to this host, needs Secure (loopback counts) and no Domain (security.md §3.2). */
export const HOST_COOKIE_ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

export const SESSION_COOKIE = '__Host-buzz'

/** A Set-Cookie value; without `maxAgeSeconds` it lasts as long as the browser session. */
export function hostCookie(name: `__Host-${string}`, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  return `${name}=${value}; ${HOST_COOKIE_ATTRIBUTES}${age}`
}

export function expiredHostCookie(name: `__Host-${string}`): string {
  return hostCookie(name, '', 0)
}
