/** No page, call or file has a longer one, and what matches routes takes the square of its length. */
const PATH_MAX = 1_024

/** The pathname of a request target, or null when it is none that a browser would send. */
export function pathOf(target: string | undefined): string | null {
  if (!target?.startsWith('/') || target.startsWith('//') || /[\\\s\0]|%00/.test(target)) return null
  try {
    const { pathname } = new URL(target, 'http://own.invalid')
    if (pathname.length > PATH_MAX) return null
    return decodeURIComponent(pathname).includes('\0') ? null : pathname
  } catch {
    return null
  }
}
