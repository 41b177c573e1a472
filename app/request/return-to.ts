import { readUrl } from '../../domain/shared/read-url.ts'
import { EXPORT_PAGE, exportUrl } from './export-url.ts'
import { NEWEST } from './newest.ts'
import { pageAlone } from './page-alone.ts'
import { isFromElsewhere } from './used-elsewhere.ts'

/** One comes back to a room at its newest message. */
const ROOM = /^\/chat\/[^/]+$/

/**
 * The page to come back to after signing in: the one that a browser goes to, or the page of the form or download. Null for
 * who comes neither by a page of ours nor with a browser: a login-required route leads them to the plain login (api-contract
 * §6.9).
 */
export function pageToReturnTo(request: Request): string | null {
  const page = isLook(request) ? new URL(request.url) : refererOf(request)
  if (!page || !(refererOf(request) || isNavigation(request))) return null
  const pathname = page.pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/')
  for (const name of ['_routes', 'index']) page.searchParams.delete(name)
  if (pathname.startsWith(exportUrl(''))) return EXPORT_PAGE
  const isRoom = ROOM.test(pathname)
  if (isRoom) page.searchParams.delete('before')
  return takenBy(request, ownPath(`${pathname}${page.search}${isRoom ? `#${NEWEST}` : ''}`))
}

export const isLook = ({ method }: Request) => method === 'GET' || method === 'HEAD'
/** Also from a bookmark, a mail or the address bar; programs do not send this header. */
const isNavigation = ({ headers }: Request) => headers.get('Sec-Fetch-Mode') === 'navigate'

/** The page of ours that a link or form is on. */
function refererOf({ url, headers }: Request): URL | null {
  const page = readUrl(headers.get('Referer') ?? '')
  return page?.origin === new URL(url).origin ? page : null
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

/**
 * A link of another site leads by the login to a page alone: it drafts nothing there, sets no filter, and has an auditor look
 * at nobody (security T23).
 */
export function takenBy(request: Request, path: string): string {
  if (!isFromElsewhere(request)) return path
  return pageAlone(new URL(path, 'http://own.invalid')) ?? '/audit'
}

/** A path of our own to go back to: anything that could leave the site becomes the fallback. */
export function ownPath(value: unknown, fallback = '/'): string {
  if (typeof value !== 'string' || !value.startsWith('/')) return fallback
  const base = 'http://own.invalid'
  const url = value.includes('\\') ? null : readUrl(value, base)
  // A path like `/.//elsewhere` loses its dot on the way, and two slashes at the start name another host.
  const isOwn = url?.origin === base && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search + url.hash : fallback
}
