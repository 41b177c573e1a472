import { replace } from '@remix-run/node'

/**
 * Leads a later page of a list that has nobody left on it back to the beginning of the list, which `hash` marks on the page.
 * The empty page leaves the browser's history.
 */
export function redirectIfPassed(request: Request, isEmpty: boolean, hash = ''): void {
  const { pathname, searchParams } = new URL(request.url)
  if (!isEmpty || !searchParams.has('after')) return
  searchParams.delete('after')
  const query = String(searchParams)
  throw replace(pathname + (query && `?${query}`) + hash)
}
