import { EXPORT_PAGE, exportUrl } from './export-url.ts'

/** The end of a room's conversation, where one without script begins to read. */
export const NEWEST = 'newest'
/** One comes back to a room at its newest message. */
const ROOM = /^\/chat\/[^/]+$/

/**
 * The page to come back to after signing in: the one that a link of ours led to, or the page of the form or download. Null
 * for who came by no page of ours: a login-required route leads them to the plain login (api-contract §6.9).
 */
export function pageToReturnTo(request: Request): string | null {
  const url = new URL(request.url)
  const referer = request.headers.get('Referer') ?? ''
  if (!URL.canParse(referer) || new URL(referer).origin !== url.origin) return null
  const isLook = request.method === 'GET' || request.method === 'HEAD'
  const page = isLook ? url : new URL(referer)
  const pathname = page.pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')
  for (const name of ['_routes', 'index']) page.searchParams.delete(name)
  if (pathname.startsWith(exportUrl(''))) return EXPORT_PAGE
  if (!ROOM.test(pathname)) return ownPath(pathname + page.search)
  page.searchParams.delete('before')
  return ownPath(`${pathname}${page.search}#${NEWEST}`)
}

type Query = Readonly<Record<string, string>>

/** The login, with the page that it leads back to. */
export function loginPath(returnTo: string | null, more: Query = {}): string {
  return withReturnTo('/login', returnTo, more)
}

/** A page on the way through the login, with the one that it leads back to; the start page needs no naming. */
export function withReturnTo(path: string, returnTo: string | null, more: Query = {}): string {
  const query = String(new URLSearchParams({ ...more, ...(returnTo && returnTo !== '/' && { redirectTo: returnTo }) }))
  return query ? `${path}?${query}` : path
}

/** A path of our own to go back to: anything that could leave the site becomes the fallback. */
export function ownPath(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return fallback
  const base = 'http://own.invalid'
  if (value.includes('\\') || !URL.canParse(value, base)) return fallback
  const url = new URL(value, base)
  // A path like `/.//elsewhere` loses its dot on the way, and two slashes at the start name another host.
  const isOwn = url.origin === base && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search + url.hash : fallback
}
